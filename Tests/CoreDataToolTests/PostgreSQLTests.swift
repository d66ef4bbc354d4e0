import CoreData
import CoreDataJSON
import CoreDataLibpq
import CoreDataSQL
import CoreDataTool
import Foundation
import PostgreSQLTestSupport
import Testing

@Suite(
    "The tool on stores in PostgreSQL databases",
    .enabled(if: TestServer.isAvailable, "\(TestServer.absence)"))
struct PostgreSQLTests {
    private let place: URL

    init() throws {
        let schema = "tool-\(UUID().uuidString)"
        place = try #require(URL(string: TestServer.shared().url(with: "schema=\(schema)")))
    }

    /// Converts the library to a store in the database.
    private func converted(_ library: LibraryStore) throws -> OpenedStore {
        let count = try StoreConversion(OpenedStore(at: library.url)).convert(to: place, as: .postgresql)
        #expect(count == 12)
        return try OpenedStore(at: place)
    }

    private func export(_ store: OpenedStore) throws -> [String] {
        var lines: [String] = []
        try StoreExport(store).write { lines.append($0) }
        return lines
    }

    private func graph(of store: OpenedStore) throws -> [JSONValue] {
        try ExportGraph.canonical(export(store))
    }

    private func damage(_ sql: String) throws {
        try PostgreSQLConnection(ConnectionOptions(place.absoluteString)).execute(SQLText(stringLiteral: sql))
    }

    @Test("A store that is converted to PostgreSQL, and back, exports the same objects")
    func conversion() throws {
        let library = try LibraryStore()
        let original = try graph(of: OpenedStore(at: library.url))
        let store = try converted(library)
        #expect(try graph(of: store) == original)
        let back = library.folder.appendingPathComponent("Back.sqlite")
        #expect(try StoreConversion(store).convert(to: back, as: .sqlite) == 12)
        #expect(try graph(of: OpenedStore(at: back)) == original)
        let again = #expect(throws: ToolError.self) {
            try StoreConversion(OpenedStore(at: library.url)).convert(to: place, as: .postgresql)
        }
        #expect(again?.description.contains("is there already") == true)
    }

    @Test("A place without a store is named, and no file is spoken of")
    func absence() throws {
        let error = #expect(throws: ToolError.self) { try OpenedStore(at: place) }
        #expect(error?.description == "\(place.place): there is no store")
    }

    @Test("An import makes a store in the database, and adds to one")
    func exchange() throws {
        let library = try LibraryStore()
        let export = try export(OpenedStore(at: library.url))
        let other = [#"{"id": "Author/new", "attributes": {"name": "Lem"}}"#]
        for (lines, added, count) in [(export, 12, 12), (other, 1, 13)] {
            let reader = StoreImport(into: place)
            for line in lines { try reader.read(line) }
            #expect(try reader.finish() == added)
            let summary = try StoreSummary(of: OpenedStore(at: place))
            #expect(summary.entities.compactMap(\.rowCount).reduce(0, +) == Int64(count))
        }
    }

    @Test("A summary names the server, the schema and the rows, and not the user")
    func summary() throws {
        let report = SummaryReport(try StoreSummary(of: converted(LibraryStore())), health: nil).text()
        #expect(report.contains("PostgreSQL"))
        #expect(report.contains("schema tool-"))
        #expect(report.contains("from the store's own cache"))
        #expect(!report.contains("@"))
    }

    @Test("A check finds nothing in an intact store, and what a damaged one has")
    func check() throws {
        let library = try LibraryStore()
        let store = try converted(library)
        #expect(try StoreCheck(store).findings() == [])
        try damage("DELETE FROM zauthor")
        try damage("UPDATE zbook SET z_ent = 99 WHERE ztitle = ''")
        try damage("UPDATE zchapter SET z_pk = 100000 WHERE ztitle = 'Urras'")
        let texts = try StoreCheck(store).findings().map(\.text)
        #expect(texts.contains { $0.contains("Book.author") })
        #expect(texts.contains { $0.contains("99") })
        #expect(texts.contains { $0.contains("the highest key of Chapter") })
        let refusal = #expect(throws: ToolError.self) {
            try StoreRepair([]).repair(store, copyTo: library.folder.appendingPathComponent("Copy.sqlite"))
        }
        #expect(refusal?.description.contains("only copies of SQLite stores are repaired") == true)
    }

    @Test("The statement of a fetch is that of PostgreSQL, with its plan")
    func statement() throws {
        let specification = FetchSpecification(entity: "Book", predicate: "pages > 200")
        let statement = try RequestStatement(specification, of: converted(LibraryStore()))
        #expect(statement.sql.contains("ZPAGES"))
        #expect(statement.plan.contains { $0.contains("Scan") })
    }

    /// The tool is built with the driver if the trait `PostgreSQL` is on.
    @Test("The command takes a URL, or says that it was built without the driver")
    func command() throws {
        let library = try LibraryStore()
        let run = try CommandRun(["convert", library.url.path, place.absoluteString])
        guard run.status == 0 else {
            #expect(run.errors.contains("CoreDataPostgreSQL"))
            return
        }
        #expect(run.output == "12 objects\n")
        #expect(try CommandRun(["fetch", place.absoluteString, "Tag", "--count"]).output == "3\n")
        #expect(try CommandRun(["check", place.absoluteString]).output == "no problem found\n")
        #expect(try CommandRun(["sql", place.absoluteString, "Tag"]).output.contains("FROM ZTAG"))
        let inspect = try CommandRun(["inspect", place.absoluteString])
        #expect(inspect.output.contains("PostgreSQL"))
        let copy = library.folder.appendingPathComponent("Copy.sqlite").path
        let export = try CommandRun(["export", place.absoluteString])
        #expect(try CommandRun(["import", "-", copy], input: export.output).output == "12 objects\n")
    }
}
