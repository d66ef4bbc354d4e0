import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Large values are stored in files of their own")
struct ExternalValueTests {
    private let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    private var column: Int { LibraryModel.column("Book", "cover") }

    private func files(_ store: TestStore) -> [String] {
        let path = store.folder.path + "/.Store_SUPPORT/_EXTERNAL_DATA"
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    @Test("A row contains marker 02 and the name of the file, from which the value is read")
    func write() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1, ["cover": .data(large)]))[0]
        #expect(row.value(column) == .data(large))
        let name = try #require(files(store).first)
        let expected = Data([2]) + Data(name.utf8) + Data([0])
        #expect(try store.query("SELECT ZCOVER FROM ZBOOK") == [[.blob(expected)]])
    }

    @Test("An external file is deleted after the commit that replaces its value or deletes its row")
    func release() throws {
        let store = try TestStore()
        let rows = try store.insert(
            LibraryModel.row("Book", -1, ["cover": .data(large)]),
            LibraryModel.row("Book", -2, ["cover": .data(large)]))
        #expect(files(store).count == 2)
        _ = try store.backend.commit(
            ChangeSet(updated: [LibraryModel.update(rows[0], ["cover": .data(Data([1]))])]))
        #expect(files(store).count == 1)
        let refused = ChangeSet(
            updated: [LibraryModel.update(rows[0], ["cover": .data(large)])],
            deleted: [RowDeletion(reference: rows[1].reference, version: 1, committed: rows[1])])
        #expect(throws: StoreError.self) { try store.backend.commit(refused) }
        #expect(files(store).count == 1)
        #expect(try store.backend.snapshot(for: rows[1].reference)?.value(column) == .data(large))
        _ = try store.backend.commit(
            ChangeSet(deleted: [RowDeletion(reference: rows[1].reference, version: 1, committed: rows[1])]))
        #expect(files(store).isEmpty)
    }

    @Test("A value whose file is missing reads as null, and the row keeps the file's name")
    func missingFile() throws {
        let store = try TestStore()
        let row = try store.insert(LibraryModel.row("Book", -1, ["cover": .data(large)]))[0]
        try FileManager.default.removeItem(atPath: store.folder.path + "/.Store_SUPPORT")
        let fresh = try #require(try store.backend.snapshot(for: row.reference))
        #expect(fresh.isNull(column))
        let value = try #require(fresh.unreadableValue(column))
        #expect(value.reason == .missingFile)
        #expect(value.path?.hasPrefix(store.folder.path + "/.Store_SUPPORT/_EXTERNAL_DATA/") == true)
        #expect(try store.query("SELECT ZCOVER FROM ZBOOK") == [[.blob(value.stored)]])
        #expect(!fresh.isEqual(column, to: LibraryModel.row("Book", -1, [:])))
        #expect(fresh.clone().isEqual(column, to: fresh))
    }

    @Test("Opening deletes noted files of a dead process that no row names, and nothing else")
    func orphans() throws {
        let store = try TestStore()
        _ = try store.insert(LibraryModel.row("Book", -1, ["cover": .data(large)]))
        let support = URL(fileURLWithPath: store.folder.path).appendingPathComponent(".Store_SUPPORT")
        let external = support.appendingPathComponent("_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: support.path) == ["_EXTERNAL_DATA"])
        let (kept, orphan, foreign) = (try #require(files(store).first), UUID().uuidString, UUID().uuidString)
        for name in [orphan, foreign] { try large.write(to: external.appendingPathComponent(name)) }
        // Two stores whose names differ by their extension have one folder.
        for (owner, names) in [("Store.sqlite", "\(kept)\n\(orphan)\n../../Store\n"), ("Store.db", foreign)] {
            try Data("\(owner)\n\(names)".utf8).write(
                to: support.appendingPathComponent("pending-\(owner)"))
        }
        store.backend.close()
        let reopened = try store.reopened()
        #expect(Set(files(store)) == [kept, foreign])
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: support.path))
                == ["_EXTERNAL_DATA", "pending-Store.db"])
        let row = try #require(
            try reopened.snapshots(for: [ObjectReference(entity: LibraryModel.index("Book"), key: 1)]).first)
        #expect(row.value(column) == .data(large))
    }
}
