import CoreDataSQL
import Testing

@Suite("Lists for SQLite")
struct JSONArrayTests {
    @Test("Numbers and texts become JSON, with everything escaped that JSON needs escaped")
    func texts() {
        #expect(JSONArray.text(of: [Int64.min, 0, 7]) == "[-9223372036854775808,0,7]")
        #expect(JSONArray.text(of: [Int64]()) == "[]")
        #expect(JSONArray.text(of: ["", "\"1\\\n"]) == #"["","\"1\\\u000a"]"#)
    }

    @Test("SQLite finds the values of a list unchanged")
    func values() throws {
        let database = try QueryDatabase([])
        let texts = ["", "é\u{1F}\t", "\"\\\"", "名前😀", "\u{FEFF}a"]
        let rows = try database.rows("SELECT value FROM json_each(\(bind: .texts(texts)))")
        #expect(rows == texts.map { [.text($0)] })
    }
}
