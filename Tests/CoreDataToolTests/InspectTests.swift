import CoreDataJSON
import CoreDataSQL
import CoreDataTool
import Testing

@Suite("Inspecting a store")
struct InspectTests {
    @Test("Entities have their row counts, parents and version hashes; history is counted")
    func summary() throws {
        let library = try LibraryStore(history: true)
        let summary = try StoreSummary(of: OpenedStore(at: library.url))
        #expect(summary.entities.map(\.name) == ["Author", "Book", "Novel", "Card", "Chapter", "Tag"])
        #expect(summary.entities.map(\.rowCount) == [2, 2, 1, 1, 3, 3])
        #expect(summary.entities.map(\.parent) == [nil, nil, "Book", nil, nil, nil])
        #expect(summary.entities.allSatisfy { $0.isOfModel == true && $0.hash?.count == 32 })
        #expect(summary.history?.transactionCount == 1)
        #expect(summary.history?.changeCount == 12)
        #expect(summary.file?.externalFileCount == 1)
        guard case .file(_, _, journalMode: "wal") = summary.database?.medium else {
            Issue.record("\(String(describing: summary.database))")
            return
        }
        #expect(summary.modelIdentifiers == ["library 1"])
    }

    @Test("The report begins with the main facts, and has hashes and JSON on request")
    func report() throws {
        let library = try LibraryStore()
        let report = SummaryReport(
            try StoreSummary(of: OpenedStore(at: library.url)), health: ["all is lost"])
        #expect(report.text().contains("Health      all is lost"))
        #expect(report.text().contains("Novel    Book         3     1           6"))
        #expect(!report.text().contains("version hash"))
        #expect(report.text(showsHashes: true).contains("version hash"))
        let json = try JSONParser.parse(report.json.indented)
        #expect(json["type"] == .string("SQLite"))
        #expect(json["history"] == .null)
        #expect(json["health"] == .array([.string("all is lost")]))
        guard case .array(let entities)? = json["entities"] else { throw ToolError("no entities") }
        #expect(entities.map { $0["rows"] } == [2, 2, 1, 1, 3, 3].map { .integer($0) })
    }
}
