import CoreDataModelFormat
import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Full-text indexes in the file")
struct SearchTableTests {
    /// Notes, and letters below them, whose texts are indexed if the test wants it.
    private static func model(_ indexed: Set<String>) throws -> CompiledModel {
        func text(_ name: String) -> AttributeElement {
            AttributeElement(
                name: name, type: .string, isOptional: true,
                userInfo: [UserInfoEntry(key: "FullTextIndex", value: indexed.contains(name) ? "YES" : "NO")])
        }
        let document = ModelDocument(entities: [
            EntityElement(name: "Note", attributes: [text("title"), text("body")]),
            EntityElement(name: "Letter", parentName: "Note", attributes: [text("address")]),
        ])
        return try ModelCompiler(document, parseExpression: { .keyPath($0) }).compile()
    }

    private let folder: TestFolder
    private var path: String { folder.file() }

    init() throws { folder = try TestFolder() }

    private func create(_ indexed: Set<String>) throws {
        let backend = try SQLiteStores.create(
            at: path, model: Self.model(indexed), metadata: TestStore.metadata, uuid: TestStore.uuid)
        backend.close()
    }

    private func open(
        _ indexed: Set<String>, isReadOnly: Bool = false, _ body: (SQLBackend) throws -> Void = { _ in }
    ) throws {
        let backend = try SQLiteStores.open(
            at: path, model: Self.model(indexed), options: DatabaseOptions(isReadOnly: isReadOnly))
        defer { backend.close() }
        try body(backend)
    }

    private func connection<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        defer { connection.close() }
        try connection.trustIndexes()
        return try body(connection)
    }

    private func run(_ statements: SQLText...) throws {
        try connection { connection in
            for statement in statements { try connection.execute(statement) }
        }
    }

    private func names() throws -> [String] {
        try connection { connection in
            try connection.rows(
                "SELECT name FROM sqlite_master WHERE name GLOB 'FULLTEXT*' AND name NOT GLOB '*_*_[a-z]*' ORDER BY 1"
            )
            .compactMap { if case .text(let name) = $0[0] { name } else { nil } }
        }
    }

    private func found(_ word: String) throws -> [Int64] {
        try connection { connection in
            try connection.rows(
                "SELECT rowid FROM FULLTEXT_ZNOTE WHERE FULLTEXT_ZNOTE MATCH \(quoting: word) ORDER BY 1"
            )
            .compactMap { if case .integer(let key) = $0[0] { key } else { nil } }
        }
    }

    private let all: Set<String> = ["title", "body", "address"]
    private let objects = [
        "FULLTEXT_ZNOTE", "FULLTEXT_ZNOTE_DELETE", "FULLTEXT_ZNOTE_INSERT", "FULLTEXT_ZNOTE_UPDATE",
    ]

    @Test("A new store has the index if its model asks for one, and none otherwise")
    func created() throws {
        try create(all)
        #expect(try names() == objects)
        try FileManager.default.removeItem(atPath: path)
        try create([])
        #expect(try names() == [])
    }

    @Test("Writes by other programs keep the index up to date")
    func plainWriters() throws {
        try create(all)
        let insert: SQLText = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBODY) VALUES"
        let replace: SQLText = "REPLACE INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBODY) VALUES"
        try run("\(insert) (1, 1, 1, 'red', 'apple'), (2, 1, 1, 'red', NULL), (3, 1, 1, NULL, NULL)")
        #expect(try found("red") == [1, 2])
        try run("UPDATE ZNOTE SET ZTITLE = 'green' WHERE Z_PK = 2", "UPDATE ZNOTE SET Z_OPT = 2")
        #expect(try found("red") == [1])
        #expect(try found("green") == [2])
        try run("UPDATE ZNOTE SET Z_PK = 7 WHERE Z_PK = 2")
        #expect(try found("green") == [7])
        try run("\(replace) (7, 1, 1, NULL, 'pear')")
        #expect(try found("green") == [])
        #expect(try found("pear") == [7])
        try run("\(replace) (7, 1, 1, NULL, NULL)")
        #expect(try found("pear") == [])
        try run("\(insert) (7, 1, 1, 'x', 'y') ON CONFLICT (Z_PK) DO UPDATE SET ZTITLE = 'plum'")
        #expect(try found("plum") == [7])
        try run(
            "UPDATE ZNOTE SET ZTITLE = NULL, ZBODY = NULL WHERE Z_PK = 7", "DELETE FROM ZNOTE WHERE Z_PK = 1")
        #expect(try found("plum OR apple") == [])
        try run("INSERT INTO FULLTEXT_ZNOTE (FULLTEXT_ZNOTE) VALUES ('integrity-check')")
    }

    @Test(
        "A text derived by another trigger is indexed, whichever trigger runs first",
        arguments: [true, false])
    func otherTriggers(isFirst: Bool) throws {
        try create(isFirst ? [] : all)
        try run(
            "CREATE TRIGGER D1 AFTER INSERT ON ZNOTE BEGIN UPDATE ZNOTE SET ZBODY = 'of ' || NEW.ZTITLE "
                + "WHERE Z_PK = NEW.Z_PK; END",
            "CREATE TRIGGER D2 AFTER UPDATE OF ZTITLE ON ZNOTE BEGIN UPDATE ZNOTE SET ZBODY = 'of ' || NEW.ZTITLE "
                + "WHERE Z_PK = NEW.Z_PK; END")
        try open(all)
        try run("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'red')")
        #expect(try found("{ZBODY} : red") == [1])
        try run("UPDATE ZNOTE SET ZTITLE = 'blue'")
        #expect(try found("{ZBODY} : blue") == [1])
        #expect(try found("red") == [])
        try run("DELETE FROM ZNOTE")
        #expect(try found("blue") == [])
    }

    @Test("Opening creates and fills the indexes that the model asks for, and drops others")
    func opened() throws {
        try create([])
        try run("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZADDRESS) VALUES (1, 2, 1, 'red', 'here')")
        try open(["title"])
        #expect(try names() == objects)
        #expect(try found("red") == [1])
        #expect(try found("here") == [])
        try open(all)
        #expect(try found("red here") == [1])
        try run("CREATE TABLE FULLTEXT_NOTES (x)")
        try open([])
        #expect(try names() == ["FULLTEXT_NOTES"])
    }

    @Test("A stale or differently built index is rebuilt, a good one is not touched")
    func remade() throws {
        try create(all)
        try run(
            "DROP TRIGGER FULLTEXT_ZNOTE_INSERT",
            "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'red')")
        try open(all)
        #expect(try names() == objects)
        #expect(try found("red") == [1])
        try run("DROP TABLE FULLTEXT_ZNOTE", "CREATE VIRTUAL TABLE FULLTEXT_ZNOTE USING fts5(ZTITLE)")
        try open(all)
        #expect(try found("{ZADDRESS ZTITLE} : red") == [1])
        // Words that only an index that was not rebuilt would have.
        try run("INSERT INTO FULLTEXT_ZNOTE (rowid, ZTITLE) VALUES (9, 'marked')")
        try open(all)
        #expect(try found("marked") == [9])
    }

    @Test("A read-only store keeps its indexes, and answers the same without an index")
    func readOnly() throws {
        try create(["title"])
        try run("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBODY) VALUES (1, 1, 1, 'red', 'apple')")
        let model = try Self.model(all)
        func split(_ format: String) throws -> QuerySplit? {
            var split: QuerySplit?
            try open(all, isReadOnly: true) { backend in
                split = try backend.split(
                    FetchQuery(
                        entity: try #require(model.indexByName["Note"]),
                        predicate: try FormatParser.predicate(format)))
            }
            return split
        }
        // An index of the title alone is not the one the model asks for, so memory tests the rows.
        #expect(try split("title matchesFullText: 'red'")?.predicate != nil)
        #expect(try names() == objects)
        try open(all)
        #expect(try split("title matchesFullText: 'red'")?.predicate == nil)
    }
}
