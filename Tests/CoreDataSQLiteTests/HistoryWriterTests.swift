import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Recording history in the save's transaction")
struct HistoryWriterTests {
    @Test("A save records one transaction and one change for each row")
    func changes() throws {
        let store = try TestStore(options: DatabaseOptions(tracksHistory: true))
        let receipt = try store.backend.commit(
            ChangeSet(
                inserted: [LibraryModel.row("Tag", -1), LibraryModel.row("Tag", -2)], author: "me",
                contextName: "ui"))
        #expect(receipt.historyToken == HistoryMark(1))
        let rows = try store.backend.snapshots(for: [reference("Tag", 1), reference("Tag", 2)])
            .sorted { $0.key < $1.key }
        let second = try store.backend.commit(
            ChangeSet(
                updated: [LibraryModel.update(rows[0], ["label": .string("x")])],
                deleted: [RowDeletion(reference: rows[1].reference, version: 1, committed: rows[1])],
                author: "me"))
        #expect(second.historyToken == HistoryMark(2))
        let number = store.backend.schema[LibraryModel.index("Tag")]!.number
        let changes = try store.query(
            "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK"
        )
        #expect(
            changes == [
                [.integer(0), .integer(number), .integer(1), .integer(1), .text("")],
                [.integer(0), .integer(number), .integer(2), .integer(1), .text("")],
                // label, books: the first bit.
                [.integer(1), .integer(number), .integer(1), .integer(2), .text("80")],
                [.integer(2), .integer(number), .integer(2), .integer(2), .text("")],
            ])
        let authors = try store.query(
            """
            SELECT s.ZNAME, c.ZNAME FROM ATRANSACTION t LEFT JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS \
            LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS ORDER BY t.Z_PK
            """)
        #expect(authors == [[.text("me"), .text("ui")], [.text("me"), .null]])
        #expect(
            try store.query("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (16001, 16002)")
                == [[.text("CHANGE"), .integer(4)], [.text("TRANSACTION"), .integer(2)]])
    }

    @Test("A save that fails records nothing")
    func refused() throws {
        let store = try TestStore(options: DatabaseOptions(tracksHistory: true))
        let gone = RowDeletion(reference: reference("Tag", 9), version: 1, committed: nil)
        #expect(throws: StoreError.self) { try store.backend.commit(ChangeSet(deleted: [gone])) }
        #expect(try store.query("SELECT COUNT(*) FROM ATRANSACTION") == [[.integer(0)]])
    }

    @Test("A store that has a history continues it even without the option to record one")
    func existing() throws {
        let store = try TestStore()
        let tracking = try store.reopened(DatabaseOptions(tracksHistory: true))
        _ = try tracking.commit(ChangeSet(inserted: [LibraryModel.row("Tag", -1)]))
        tracking.close()
        let plain = try store.reopened()
        let receipt = try plain.commit(ChangeSet(inserted: [LibraryModel.row("Tag", -1)]))
        #expect(receipt.historyToken == HistoryMark(2))
        #expect(try store.query("SELECT COUNT(*) FROM ACHANGE") == [[.integer(2)]])
    }
}
