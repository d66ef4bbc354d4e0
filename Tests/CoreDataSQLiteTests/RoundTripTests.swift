import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Writing and reading rows")
struct RoundTripTests {
    static let values: [String: AttributeValue] = [
        "cover": .data(Data(repeating: 7, count: 300)),
        "data": .data(Data([0, 1, 2])),
        "identifier": .uuid(UUID()),
        "isLent": .boolean(true),
        "pages": .integer(321),
        "price": .decimal(Decimal(string: "12.34")!),
        "published": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.5)),
        "rating": .double(4.25),
        "site": .uri(URL(string: "https://example.org/a-rather-long-path")!),
        "title": .string("Ein Buch mit einem längeren Titel"),
    ]

    @Test("Every attribute type is read as it was written", arguments: ["Book", "Novel"])
    func attributes(entity: String) throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row(entity, -1, Self.values))[0]
        for (name, value) in Self.values {
            #expect(row.value(LibraryModel.column(entity, name)) == value, "\(name)")
        }
        #expect(row.version == 1)
        #expect(row.key == 1)
        #expect(row.layout.entity.name == entity)
    }

    @Test("Empty strings and empty data are not null")
    func emptyValues() throws {
        let store = try TestStore()
        let row = try store.insert(
            LibraryModel.row(
                "Book", -1, ["title": .string(""), "data": .data(Data()), "cover": .data(Data())])
        )[0]
        #expect(row.value(LibraryModel.column("Book", "title")) == .string(""))
        #expect(row.value(LibraryModel.column("Book", "data")) == .data(Data()))
        #expect(row.value(LibraryModel.column("Book", "cover")) == .data(Data()))
        #expect(row.value(LibraryModel.column("Book", "pages")) == .null)
        #expect(row.value(LibraryModel.column("Book", "published")) == .null)
    }

    @Test("Values are encoded as Core Data encodes them")
    func encodings() throws {
        let store = try TestStore()
        _ = try store.insert(
            LibraryModel.row(
                "Book", -1,
                [
                    "published": .date(Date(timeIntervalSinceReferenceDate: 700_000_000)),
                    "cover": .data(Data([9, 8])), "price": .decimal(3),
                ]),
            LibraryModel.row(
                "Book", -2, ["published": .date(Date(timeIntervalSinceReferenceDate: 0.5))]))
        let rows = try store.query(
            """
            SELECT Z_PK, Z_ENT, Z_OPT, typeof(ZPUBLISHED), ZPUBLISHED, hex(ZCOVER), typeof(ZPRICE) \
            FROM ZBOOK ORDER BY Z_PK
            """)
        let number = SQLValue.integer(store.backend.schema[LibraryModel.index("Book")]!.number)
        #expect(
            rows[0] == [
                .integer(1), number, .integer(1), .text("integer"), .integer(700_000_000), .text("010908"),
                .text("integer"),
            ])
        #expect(rows[1][3] == .text("real"))
    }

    @Test("References between rows of one save get permanent keys and the concrete entity")
    func temporaryReferences() throws {
        let store = try TestStore()
        let rows = try store.insert(
            LibraryModel.row("Book", -1, ["sequel": .reference(reference("Novel", -2))]),
            LibraryModel.row("Novel", -2, ["genre": .string("crime")]))
        let sequel = rows[0].toOne(LibraryModel.column("Book", "sequel"))
        #expect(sequel == rows[1].reference)
        #expect(sequel?.entity == LibraryModel.index("Novel"))
        let book = store.backend.schema[LibraryModel.index("Book")]!
        let twin = NameMangling.entityColumn("sequel", destination: book.number)
        let stored = try store.query("SELECT ZSEQUEL, \(twin) FROM ZBOOK WHERE Z_PK = \(rows[0].key)")
        let novel = store.backend.schema[LibraryModel.index("Novel")]!.number
        #expect(stored == [[.integer(rows[1].key), .integer(novel)]])
    }

    @Test("More rows than one statement can read are read completely, once and in order")
    func manyRows() throws {
        let store = try TestStore()
        let rows = (1...47).map { LibraryModel.row("Author", Int64(-$0), ["name": .string("Author \($0)")]) }
        let receipt = try store.backend.commit(ChangeSet(inserted: rows))
        #expect(receipt.permanent.count == 47)
        let stored = try store.query("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK")
        #expect(stored == (1...47).map { [.text("Author \($0)")] })
        #expect(try store.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Author'") == [[.integer(47)]])
    }

    @Test("An update writes its columns and increments the version")
    func update() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1, Self.values))[0]
        let change = LibraryModel.update(row, ["title": .string("Neu"), "pages": .null])
        _ = try store.backend.commit(ChangeSet(updated: [change]))
        let fresh = try #require(try store.backend.snapshot(for: row.reference))
        #expect(fresh.version == 2)
        #expect(fresh.value(LibraryModel.column("Book", "title")) == .string("Neu"))
        #expect(fresh.isNull(LibraryModel.column("Book", "pages")))
        #expect(fresh.value(LibraryModel.column("Book", "rating")) == .double(4.25))
    }

    @Test("A deleted row no longer exists, and its key is not used again")
    func deletion() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1))[0]
        _ = try store.backend.commit(
            ChangeSet(deleted: [RowDeletion(reference: row.reference, version: 1, committed: row)]))
        #expect(try store.backend.snapshot(for: row.reference) == nil)
        #expect(try store.insert(LibraryModel.row("Book", -1))[0].key == 2)
    }

    @Test("Rows are found by a batch of references and by a query")
    func reading() throws {
        let store = try TestStore()
        let rows = try store.insert(
            LibraryModel.row("Book", -1), LibraryModel.row("Novel", -2), LibraryModel.row("Author", -3))
        let found = try store.backend.snapshots(for: rows.map(\.reference) + [reference("Book", 99)])
        #expect(Set(found.map(\.reference)) == Set(rows.map(\.reference)))
        guard
            case .references(let references) = try store.backend.fetch(
                FetchQuery(entity: LibraryModel.index("Book"), shape: .references))
        else {
            Issue.record("a reference query answers with references")
            return
        }
        #expect(Set(references) == Set(rows.prefix(2).map(\.reference)))
    }

    @Test("Reserved keys are handed out once within an inheritance tree")
    func allocation() throws {
        let store = try TestStore()
        let (book, novel) = (LibraryModel.index("Book"), LibraryModel.index("Novel"))
        let keys = try store.backend.allocateKeys([book: 2, novel: 1])
        #expect(Set(keys.values.joined().map(\.key)).count == 3)
        let row = LibraryModel.row("Novel", keys[novel]![0].key)
        let receipt = try store.backend.commit(ChangeSet(inserted: [row, LibraryModel.row("Book", -1)]))
        #expect(receipt.permanent.count == 1)
        #expect(receipt.permanent[reference("Book", -1)]?.key == 4)
        #expect(try store.backend.snapshot(for: row.reference) != nil)
    }
}
