import CoreDataSQL
import Testing

@Suite("Errors of databases")
struct SQLErrorTests {
    @Test("An error quotes the beginning of a long statement, and a short one whole")
    func quotes() {
        let short: SQLText = "SELECT 1"
        let long = (0..<5_000).map { _ in "x = 1" as SQLText }.joined(separator: " OR ")
        func quoted(_ sql: SQLText) -> String? {
            SQLError(kind: .other, code: 1, message: "too large", sql: sql).sql
        }
        #expect(quoted(short) == "SELECT 1")
        #expect(quoted(long)?.hasPrefix("x = 1 OR x = 1") == true && quoted(long)?.hasSuffix("…") == true)
        #expect(quoted(long)!.count < 400)
    }
}
