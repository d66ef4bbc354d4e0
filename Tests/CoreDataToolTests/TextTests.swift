import CoreDataJSON
import CoreDataTool
import Foundation
import Testing

@Suite("Texts exchanged with other programs")
struct TextTests {
    @Test("JSON is parsed as it was written, on one line or indented")
    func roundTrip() throws {
        let value = JSONValue.object([
            .init("b", .integer(.min)),
            .init("a", .array([.null, .boolean(true), .double(-0.1), .array([])])),
            .init("text", .string("\u{1}\t\r\n\"\\/ ä 𝄞 \u{7f}")), .init("", .object([])),
            .init("b", .double(1e300)),
        ])
        #expect(try JSONParser.parse(value.line) == value)
        #expect(try JSONParser.parse(value.indented) == value)
        #expect(!value.line.contains("\n"))
        #expect(try JSONSerialization.jsonObject(with: Data(value.line.utf8)) is NSDictionary)
    }

    @Test("Escapes of other writers are parsed, including surrogate pairs")
    func escapes() throws {
        #expect(try JSONParser.parse(#" "\u00e4\ud834\udd1e\b\f\/" "#) == .string("ä𝄞\u{8}\u{c}/"))
        #expect(try JSONParser.parse("[1, 1.0, -2E2]") == .array([.integer(1), .double(1), .double(-200)]))
    }

    @Test(
        "Malformed JSON is an error, never a crash",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "nul", "tru", "\"a", #""\u12""#, #""\ud834""#, #""\x""#,
            "1 2",
            "[" + String(repeating: "[", count: 100_000), "--1", "'a'", "{1:2}",
        ])
    func malformed(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
    }

    @Test("A date's text is parsed to exactly the same date, whatever its fraction")
    func dates() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let seconds = Double.random(in: -6.0e10...2.5e11, using: &generator)
            for candidate in [seconds, seconds.rounded(), (seconds * 1000).rounded() / 1000, seconds / 1e5] {
                let date = Date(timeIntervalSinceReferenceDate: candidate)
                if let text = DateCoding.text(of: date) {
                    #expect(DateCoding.date(of: text) == date, "\(text)")
                }
            }
        }
        let recent = Date(timeIntervalSinceReferenceDate: 737_057_647.288022)
        #expect(DateCoding.text(of: recent) == "2024-05-10T18:14:07.288022Z")
        #expect(DateCoding.text(of: Date(timeIntervalSinceReferenceDate: 0)) == "2001-01-01T00:00:00Z")
        #expect(DateCoding.text(of: .distantFuture.addingTimeInterval(1e12)) == nil)
    }

    @Test("Dates may have an offset or no time, and impossible dates are refused")
    func dateForms() {
        let noon = Date(timeIntervalSinceReferenceDate: 43_200)
        for text in ["2001-01-01T12:00:00Z", "2001-01-01 14:00 +02:00", "2001-01-01T07:00:00.000-0500"] {
            #expect(DateCoding.date(of: text) == noon, "\(text)")
        }
        #expect(DateCoding.date(of: "2001-01-01") == noon.addingTimeInterval(-43_200))
        #expect(DateCoding.date(of: "2000-02-29") != nil)
        for text in ["2001-02-29", "2001-13-01", "2001-00-10", "2001-01-01T24:00", "1.1.2001", ""] {
            #expect(DateCoding.date(of: text) == nil, "\(text)")
        }
    }

    @Test("Columns are as wide as their widest cell, with wide characters counted twice")
    func table() {
        var table = TextTable([("name", .left), ("n", .right)])
        table.append(["東京", "1"])
        table.append(["a\tb\nc", "100"])
        #expect(table.lines == ["name       n", "-------  ---", #"東京       1"#, #"a\tb\nc  100"#])
    }

    @Test("CSV quotes separators, quotes and line breaks")
    func csv() {
        #expect(CSV.line(["a", "b,c", "d\"e", "f\ng", ""]) == "a,\"b,c\",\"d\"\"e\",\"f\ng\",")
    }
}
