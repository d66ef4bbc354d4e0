import CoreDataTool
import Foundation
import Testing

@Suite("Stores written by Apple's framework", .enabled(if: Corpus.isThere))
struct CorpusTests {
    @Test(
        "Every store is inspected, checked and exported unchanged, and its import is equal",
        arguments: Corpus.stores)
    func everything(_ path: String) throws {
        let original = try Corpus.copy(path)
        let before = try original.files()
        let store = try OpenedStore(at: original.url)
        let summary = try StoreSummary(of: store)
        #expect(!summary.entities.isEmpty)
        #expect(try StoreCheck(store).findings() == [])
        guard store.model != nil else {
            let error = #expect(throws: ToolError.self) { try StoreExport(store) }
            #expect(error?.description.contains("--model") == true)
            return
        }
        // An entity renamed by a migration has its new name.
        #expect(Set(summary.entities.map(\.name)) == Set(store.metadata.hashes.keys))
        #expect(summary.entities.allSatisfy { $0.isOfModel == true })
        #expect(try !LintReport(ModelSource(original.url), named: path).hasErrors)
        var lines: [String] = []
        try StoreExport(store).write { lines.append($0) }
        let rows = summary.entities.reduce(0) { $0 + ($1.rowCount ?? 0) }
        #expect(lines.count == Int(rows) + 1)
        for entity in summary.entities.filter({ $0.rowCount != 0 && $0.isOfModel == true }).prefix(3) {
            let fetch = FetchSpecification(entity: entity.name, includesSubentities: false)
            #expect(try StoreFetch(fetch, from: store).count() == entity.rowCount.map { Int($0) })
        }
        #expect(try original.files() == before)
        let losses = try ModelCompilation(ModelSource(original.url))
            .write(to: original.folder.appendingPathComponent("Model.xcdatamodeld"))
        #expect(
            losses.allSatisfy { $0.contains(": validated by ") || $0.contains(": sorted by ") }, "\(losses)")

        let copy = original.folder.appendingPathComponent("Made.sqlite")
        let reader = StoreImport(into: copy)
        for line in lines { try reader.read(line) }
        #expect(try reader.finish() == Int(rows))
        let made = try OpenedStore(at: copy)
        #expect(try StoreCheck(made).findings() == [])
        #expect(made.metadata.hashes == store.metadata.hashes)
        var again: [String] = []
        try StoreExport(made).write { again.append($0) }
        let document = try store.requiredModel().document
        let same =
            try ExportGraph.canonical(again, of: document) == ExportGraph.canonical(lines, of: document)
        #expect(same)
    }
}
