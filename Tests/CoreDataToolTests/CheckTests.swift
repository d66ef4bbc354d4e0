import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataTool
import Foundation
import Testing

@Suite("Checking a store")
struct CheckTests {
    /// One way to damage a store: the SQL, the expected finding, and what is left after a repair.
    struct Damage: Sendable, CustomTestStringConvertible {
        let kind: String
        let sql: [String]
        let place: String
        let count: Int64
        var isRepairable = true

        init(
            _ kind: String, at place: String, _ count: Int64, isRepairable: Bool = true, _ sql: String...
        ) {
            (self.kind, self.place, self.count, self.sql) = (kind, place, count, sql)
            self.isRepairable = isRepairable
        }

        var testDescription: String { kind + " at " + place }
    }

    private static let damages = [
        Damage("danglingReference", at: "Book.author", 2, "DELETE FROM ZAUTHOR WHERE ZNAME LIKE 'Ursula%'"),
        Damage(
            "danglingReference", at: "Book.shelf", 1, "UPDATE ZTAG SET Z2SHELF = 77 WHERE Z2SHELF IS NOT NULL"
        ),
        Damage(
            "strangeEntityNumber", at: "ZBOOK", 1, isRepairable: false,
            "UPDATE ZBOOK SET Z_ENT = 99 WHERE ZPAGES = 0"),
        Damage(
            "wrongEntityColumn", at: "Chapter.book", 3,
            "UPDATE ZCHAPTER SET Z2_BOOK = 2"
        ),
        Damage("oneSided", at: "Book.card", 1, "UPDATE ZCARD SET ZBOOK = NULL, Z2_BOOK = NULL"),
        Damage(
            "misdirectedReference", at: "Author.masterpiece", 1,
            "UPDATE ZAUTHOR SET ZMASTERPIECE = (SELECT Z_PK FROM ZBOOK WHERE ZPAGES = 184) WHERE ZSCORE > 9"),
        Damage("danglingMember", at: "Book.tags", 2, "DELETE FROM ZTAG WHERE ZWORD = 'sf'"),
        Damage("missingPosition", at: "Book.chapters", 3, "UPDATE ZCHAPTER SET Z_FOK_BOOK = NULL"),
        Damage(
            "lowHighestKey", at: "Book", 1, "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'"),
        Damage(
            "historyWithoutTransaction", at: "history", 12, "DELETE FROM ATRANSACTION"),
        Damage(
            "damagedDatabase", at: "", 1,
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'COLLATE BINARY ASC', 'COLLATE BINARY DESC') "
                + "WHERE name = 'Z_Tag_UNIQUE_word'"),
    ]

    private func findings(_ library: LibraryStore, at url: URL? = nil) throws -> [Finding] {
        try StoreCheck(OpenedStore(at: url ?? library.url)).findings()
    }

    @Test("An intact store has no findings, neither in the full nor in the quick check")
    func sound() throws {
        let library = try LibraryStore(history: true)
        #expect(try findings(library) == [])
        #expect(try StoreCheck(OpenedStore(at: library.url), depth: .quick).findings() == [])
    }

    @Test("Each kind of damage is found at its place, and a repaired copy is intact", arguments: damages)
    func damage(_ damage: Damage) throws {
        let library = try LibraryStore(history: true)
        for statement in damage.sql { try library.damage(statement) }
        let before = try library.files()
        let findings = try findings(library)
        let finding = try #require(findings.first { $0.kind == damage.kind })
        #expect(finding.place == damage.place)
        #expect(finding.count == damage.count)

        let copy = library.folder.appendingPathComponent("Repaired.sqlite")
        try StoreRepair(findings).repair(OpenedStore(at: library.url), copyTo: copy)
        let left = try self.findings(library, at: copy)
        #expect(left.isEmpty == damage.isRepairable)
        let after = try library.files().filter { !$0.key.contains("Repaired") }
        #expect(after == before)
    }

    @Test("Rows of a many-to-many table that lead to an object of the entity above are found and removed")
    func misdirectedMembers() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Clubs.sqlite")
        func link(_ name: String, _ destination: String, _ inverse: String) -> RelationshipElement {
            RelationshipElement(
                name: name, destinationName: destination, inverseName: inverse,
                inverseEntityName: destination,
                isOptional: true, maximumCount: 0)
        }
        let document = ModelDocument(entities: [
            EntityElement(name: "Person"),
            EntityElement(
                name: "Player", parentName: "Person", relationships: [link("clubs", "Club", "players")]),
            EntityElement(name: "Club", relationships: [link("players", "Player", "clubs")]),
        ])
        try LibraryStore.write(document, to: url) { context in
            let players = (0..<3).map { _ in LibraryStore.insert("Player", in: context, [:]) }
            for _ in 0..<2 { LibraryStore.insert("Club", in: context, ["players": Set(players)]) }
        }
        #expect(try StoreCheck(OpenedStore(at: url)).findings() == [])
        let connection = try SQLiteConnection(path: url.path, access: .scratch)
        try connection.execute(
            "UPDATE ZPERSON SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person') WHERE Z_PK = 1"
        )
        connection.close()
        let findings = try StoreCheck(OpenedStore(at: url)).findings()
        #expect(findings.map(\.kind) == ["misdirectedMember"])
        #expect(findings.map(\.count) == [2])
        #expect(["Club.players", "Player.clubs"].contains(findings.first?.place))
        let copy = folder.appendingPathComponent("Repaired.sqlite")
        try StoreRepair(findings).repair(OpenedStore(at: url), copyTo: copy)
        #expect(try StoreCheck(OpenedStore(at: copy)).findings() == [])
    }

    @Test(
        "A damaged model is reported as such, and the tables can be read with another model",
        arguments: ["NULL", "substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)", "x'0102'"])
    func damagedModel(_ content: String) throws {
        let library = try LibraryStore()
        let file = library.folder.appendingPathComponent("Library.mom")
        try LibraryModel.write(to: file)
        try library.damage("UPDATE Z_MODELCACHE SET Z_CONTENT = \(content)")
        let found = try findings(library)
        #expect(found.map(\.kind) == ["damagedRecord"])
        #expect(found.first?.text.contains("the model in the store is damaged") == true)
        let store = try OpenedStore(at: library.url)
        let error = #expect(throws: ToolError.self) { try store.requiredModel() }
        #expect(error?.description.contains("is damaged") == true)
        #expect(error?.description.hasSuffix("name a model with --model") == true)
        let with = try OpenedStore(at: library.url, model: file)
        #expect(try StoreFetch(FetchSpecification(entity: "Book"), from: with).count() == 3)
        #expect(try StoreCheck(with).findings().map(\.kind) == ["damagedRecord"])
    }

    @Test(
        "Damaged metadata is reported as such, and the tables can be read with a model",
        arguments: ["NULL", "x'00'", "substr(Z_PLIST, 1, length(Z_PLIST) / 2)"])
    func damagedMetadata(_ plist: String) throws {
        let library = try LibraryStore()
        let file = library.folder.appendingPathComponent("Library.mom")
        try LibraryModel.write(to: file)
        try library.damage("UPDATE Z_METADATA SET Z_PLIST = \(plist)")
        let found = try findings(library)
        #expect(found.map(\.kind) == ["damagedRecord"])
        #expect(found.first?.text.contains("the metadata in the store is damaged") == true)
        let with = try OpenedStore(at: library.url, model: file)
        #expect(try StoreFetch(FetchSpecification(entity: "Book"), from: with).count() == 3)
    }

    @Test("A repair completes one-to-one relationships, and appends members without a position")
    func repairKeepsWhatIsThere() throws {
        let library = try LibraryStore()
        try library.damage("UPDATE ZCARD SET ZBOOK = NULL, Z2_BOOK = NULL")
        try library.damage("UPDATE ZCHAPTER SET Z_FOK_BOOK = NULL WHERE ZTITLE = 'Anarres'")
        let copy = library.folder.appendingPathComponent("Repaired.sqlite")
        let store = try OpenedStore(at: library.url)
        try StoreRepair(StoreCheck(store).findings()).repair(store, copyTo: copy)
        var lines: [String] = []
        try StoreFetch(
            FetchSpecification(entity: "Card", properties: ["book.title"]), from: OpenedStore(at: copy)
        ).write(.csv) { lines.append($0) }
        #expect(lines == ["book.title", "The Lathe of Heaven"])
        lines = []
        try StoreFetch(
            FetchSpecification(entity: "Novel", properties: ["chapters.title"]), from: OpenedStore(at: copy)
        ).write(.csv) { lines.append($0) }
        #expect(lines.last == "Urras Anarres again Anarres")
    }

    @Test("Missing and unreferenced external files are found and repaired")
    func files() throws {
        let library = try LibraryStore()
        let external = URL(fileURLWithPath: StoreFiles(library.url).externalData.path)
        let file = try #require(StoreFiles(library.url).externalFiles().first)
        #expect(file.size == 200_000)
        let stray = UUID().uuidString
        try FileManager.default.moveItem(
            at: external.appendingPathComponent(file.name), to: external.appendingPathComponent(stray))
        let findings = try findings(library)
        #expect(findings.map(\.kind) == ["missingFiles", "orphanedFiles"])
        #expect(findings.map(\.place) == ["Book.cover", ""])
        let copy = library.folder.appendingPathComponent("Repaired.sqlite")
        try StoreRepair(findings).repair(OpenedStore(at: library.url), copyTo: copy)
        #expect(try self.findings(library, at: copy) == [])
        #expect(StoreFiles(library.url).externalFiles().map(\.name) == [stray])
    }

    @Test(
        "Unreadable external values are found, left out of exports and cleared by a repair"
    )
    func unreadableValues() throws {
        let library = try LibraryStore()
        let external = URL(fileURLWithPath: StoreFiles(library.url).externalData.path)
        let file = try #require(StoreFiles(library.url).externalFiles().first)
        let path = external.appendingPathComponent(file.name)
        try Data().write(to: path)
        #expect(try findings(library).map(\.kind) == ["missingFiles"])
        var warnings: [String] = []
        var lines: [String] = []
        try StoreExport(OpenedStore(at: library.url)).write {
            lines.append($0)
        } warning: {
            warnings.append($0)
        }
        #expect(warnings == ["Novel/p1.cover: the external file \(path.path) is empty"])
        #expect(lines.count == 13)
        #expect(!lines.joined().contains("cover\":\"\""))

        try library.damage("UPDATE ZBOOK SET ZCOVER = x'0709' WHERE LENGTH(ZCOVER) = 38")
        try FileManager.default.removeItem(at: path)
        let found = try findings(library)
        #expect(found.map(\.kind) == ["unreadableValues"])
        #expect(found.map(\.place) == ["Book.cover"])
        let copy = library.folder.appendingPathComponent("Repaired.sqlite")
        try StoreRepair(found).repair(OpenedStore(at: library.url), copyTo: copy)
        #expect(try self.findings(library, at: copy) == [])
    }

    @Test("A repaired copy does not overwrite an existing file")
    func takenPlace() throws {
        let library = try LibraryStore()
        let store = try OpenedStore(at: library.url)
        let before = try library.files()
        #expect(throws: ToolError.self) { try StoreRepair([]).repair(store, copyTo: library.url) }
        #expect(try library.files() == before)
    }
}
