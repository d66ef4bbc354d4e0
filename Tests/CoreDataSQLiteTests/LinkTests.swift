import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("To-many relationships are stored where Core Data keeps them")
struct LinkTests {
    private func link(
        _ owner: Snapshot,
        _ name: String,
        from before: [Snapshot] = [],
        to after: [Snapshot]
    ) -> LinkChange {
        LinkChange(
            owner: owner.reference, slot: LibraryModel.slot(owner.layout.entity.name, name),
            before: before.map(\.reference), after: after.map(\.reference))
    }

    private func related(_ store: TestStore, _ owner: Snapshot, _ name: String) throws -> [ObjectReference] {
        try store.backend.related(
            LibraryModel.slot(owner.layout.entity.name, name), of: owner.reference)
    }

    @Test("A pair reported from both sides is written once, in either order")
    func manyToMany() throws {
        let store = try TestStore()
        let (book, tag) = (LibraryModel.row("Book", -1), LibraryModel.row("Tag", -2))
        let rows = try store.insert(
            book, tag, links: [link(book, "tags", to: [tag]), link(tag, "books", to: [book])])
        let join = try #require(store.backend.schema.joinTables.first { $0.name.name.hasSuffix("TAGS") })
        #expect(try store.query("SELECT COUNT(*) FROM \(join.name)") == [[.integer(1)]])
        #expect(try related(store, rows[0], "tags") == [rows[1].reference])
        #expect(try related(store, rows[1], "books") == [rows[0].reference])
        let removal = ChangeSet(links: [
            link(rows[1], "books", from: [rows[0]], to: []), link(rows[0], "tags", from: [rows[1]], to: []),
        ])
        _ = try store.backend.commit(removal)
        #expect(try related(store, rows[0], "tags").isEmpty)
    }

    @Test("An ordered many-to-many keeps its order through inserts and moves")
    func orderedManyToMany() throws {
        let store = try TestStore()
        let book = LibraryModel.row("Book", -1)
        let tags = (2...5).map { LibraryModel.row("Tag", Int64(-$0), ["label": .string("\($0)")]) }
        let rows = try store.insert(
            book, tags[0], tags[1], tags[2], tags[3],
            links: [link(book, "tags", to: [tags[2], tags[0], tags[1]])])
        let stored = Array(rows.dropFirst())
        let first = [stored[2], stored[0], stored[1]]
        #expect(try related(store, rows[0], "tags") == first.map(\.reference))
        let second = [stored[0], stored[3], stored[1], stored[2]]
        _ = try store.backend.commit(ChangeSet(links: [link(rows[0], "tags", from: first, to: second)]))
        #expect(try related(store, rows[0], "tags") == second.map(\.reference))
    }

    @Test("An ordered to-many keeps positions of 2048, 3072, … in its members")
    func orderedToMany() throws {
        let store = try TestStore()
        let author = LibraryModel.row("Author", -1)
        let books = (2...4).map {
            LibraryModel.row("Book", Int64(-$0), ["author": .reference(author.reference)])
        }
        let rows = try store.insert(
            author, books[0], books[1], books[2], links: [link(author, "books", to: books)])
        let stored = Array(rows.dropFirst())
        #expect(
            try store.query("SELECT Z_FOK_AUTHOR FROM ZBOOK ORDER BY Z_PK")
                == [[.integer(2048)], [.integer(3072)], [.integer(4096)]])
        let moved = [stored[2], stored[0], stored[1]]
        _ = try store.backend.commit(ChangeSet(links: [link(rows[0], "books", from: stored, to: moved)]))
        #expect(
            try store.query("SELECT Z_FOK_AUTHOR FROM ZBOOK ORDER BY Z_PK")
                == [[.integer(2048)], [.integer(3072)], [.integer(1024)]])
        #expect(try related(store, rows[0], "books") == moved.map(\.reference))
        #expect(try store.query("SELECT DISTINCT Z_OPT FROM ZBOOK") == [[.integer(1)]])
    }

    @Test("A row that refers to its owner but has no position goes to the end")
    func appended() throws {
        let store = try TestStore()
        let author = LibraryModel.row("Author", -1)
        let book = LibraryModel.row("Book", -2, ["author": .reference(author.reference)])
        let rows = try store.insert(author, book, links: [link(author, "books", to: [book])])
        let later = try store.insert(
            LibraryModel.row("Book", -3, ["author": .reference(rows[0].reference)]),
            LibraryModel.row("Book", -4))
        _ = try store.backend.commit(
            ChangeSet(updated: [
                LibraryModel.update(later[1], ["author": .reference(rows[0].reference)])
            ]))
        #expect(
            try related(store, rows[0], "books")
                == [rows[1].reference, later[0].reference, later[1].reference])
        let moved = try #require(try store.backend.snapshot(for: later[1].reference))
        _ = try store.backend.commit(ChangeSet(updated: [LibraryModel.update(moved, ["author": .null])]))
        #expect(
            try store.query("SELECT Z_FOK_AUTHOR FROM ZBOOK WHERE Z_PK = \(moved.key)") == [[.null]])
    }

    @Test("A reflexive pair is one row, read from both ends and deleted from either")
    func reflexive() throws {
        let store = try TestStore()
        let (a, b) = (LibraryModel.row("Member", -1), LibraryModel.row("Member", -2))
        let rows = try store.insert(a, b, links: [link(a, "friends", to: [b]), link(b, "friends", to: [a])])
        let join = try #require(
            store.backend.schema.joinTables.first { $0.secondColumn == NameMangling.reflexive })
        #expect(try store.query("SELECT COUNT(*) FROM \(join.name)") == [[.integer(1)]])
        #expect(try related(store, rows[0], "friends") == [rows[1].reference])
        #expect(try related(store, rows[1], "friends") == [rows[0].reference])
        // Older systems wrote both directions.
        try store.execute(
            "INSERT OR IGNORE INTO \(join.name) SELECT REFLEXIVE, \(join.firstColumn) FROM \(join.name)")
        #expect(try related(store, rows[0], "friends") == [rows[1].reference])
        _ = try store.backend.commit(
            ChangeSet(links: [link(rows[1], "friends", from: [rows[0]], to: [])]))
        #expect(try store.query("SELECT COUNT(*) FROM \(join.name)") == [[.integer(0)]])
    }

    @Test("A to-many without inverse is a column of its destination")
    func oneSided() throws {
        let store = try TestStore()
        let (shelf, book) = (LibraryModel.row("Shelf", -1), LibraryModel.row("Novel", -2))
        let rows = try store.insert(shelf, book, links: [link(shelf, "contents", to: [book])])
        #expect(try related(store, rows[0], "contents") == [rows[1].reference])
        let number = store.backend.schema[LibraryModel.index("Shelf")]!.number
        #expect(
            try store.query("SELECT Z\(number)CONTENTS FROM ZBOOK") == [[.integer(rows[0].key)]])
        _ = try store.backend.commit(
            ChangeSet(deleted: [RowDeletion(reference: rows[0].reference, version: 1, committed: rows[0])]))
        #expect(try store.query("SELECT Z\(number)CONTENTS FROM ZBOOK") == [[.null]])
    }

    @Test("Deleting a row deletes its pairs from the join table")
    func deletedOwner() throws {
        let store = try TestStore()
        let (book, tag) = (LibraryModel.row("Book", -1), LibraryModel.row("Tag", -2))
        let rows = try store.insert(book, tag, links: [link(book, "tags", to: [tag])])
        _ = try store.backend.commit(
            ChangeSet(deleted: [RowDeletion(reference: rows[1].reference, version: nil, committed: nil)]))
        let join = try #require(store.backend.schema.joinTables.first { $0.name.name.hasSuffix("TAGS") })
        #expect(try store.query("SELECT COUNT(*) FROM \(join.name)") == [[.integer(0)]])
    }
}
