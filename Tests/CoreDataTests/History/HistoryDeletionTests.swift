import CoreData
import Foundation
import Testing

@Suite("Deleting history", .ofSQLite("History that no other transaction in progress keeps"))
struct HistoryDeletionTests {
    private func stack(_ count: Int = 3) throws -> HistoryStack {
        let stack = try HistoryStack()
        for number in 0..<count { try stack.saveCar("\(number)") }
        return stack
    }

    private func numbers(_ stack: HistoryStack) throws -> [Int64] {
        try stack.transactions().map(\.transactionNumber)
    }

    @Test("Deleting history before a transaction, token or date deletes nothing later")
    func before() throws {
        let stack = try stack(4)
        let all = try stack.transactions()
        #expect(try stack.result(.deleteHistory(before: all[0]), as: .statusOnly) as Bool)
        #expect(try numbers(stack) == [1, 2, 3, 4])
        #expect(try stack.result(.deleteHistory(before: all[1]), as: .count) as Int == 1)
        #expect(try numbers(stack) == [2, 3, 4])
        #expect(try stack.result(.deleteHistory(before: all[2].token), as: .count) as Int == 1)
        #expect(try numbers(stack) == [3, 4])
        #expect(try stack.result(.deleteHistory(before: all[3].timestamp), as: .count) as Int == 1)
        #expect(try numbers(stack) == [4])
        let none: NSPersistentHistoryToken? = nil
        #expect(try stack.result(.deleteHistory(before: none), as: .count) as Int == 0)
        #expect(try stack.result(.deleteHistory(before: .distantFuture), as: .count) as Int == 1)
        #expect(try numbers(stack) == [])
        try stack.saveCar()
        #expect(try numbers(stack) == [5])
    }

    @Test(
        "Deleting history also deletes its changes and the names that only it used",
        .ofSQLite("A table of names"))
    func traces() throws {
        let stack = try HistoryStack()
        stack.context.transactionAuthor = "early"
        try stack.saveCar()
        stack.context.transactionAuthor = "late"
        try stack.saveCar()
        try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: stack.token))
        let database = try ScratchFolder.tables(at: stack.store.url!)
        #expect(try database.integer("SELECT COUNT(*) FROM ACHANGE") == 1)
        #expect(
            Set(try database.strings("SELECT ZNAME FROM ATRANSACTIONSTRING")) == [
                "late", ProcessInfo.processInfo.processName, Bundle.main.bundleIdentifier ?? "",
            ])
    }

    @Test("A token is expired if a transaction after it was deleted")
    func expired() throws {
        let stack = try stack()
        let all = try stack.transactions()
        try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: all[2]))
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: all[0].token)
        #expect(stack.code(of: request) == NSPersistentHistoryTokenExpiredError)
        #expect(try stack.transactions(after: all[1].token) == [all[2]])
        try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
        #expect(stack.code(of: .fetchHistory(after: all[1].token)) == NSPersistentHistoryTokenExpiredError)
        #expect(try stack.transactions(after: all[2].token).isEmpty)
        #expect(try stack.transactions().isEmpty)
    }

    @Test("A token of changes that a restored store no longer contains is expired, too")
    func restored() throws {
        let stack = try stack()
        let later = try #require(stack.token)
        let early = try HistoryStack()
        try early.saveCar()
        // The store with an earlier history, as restored from a backup.
        early.store.identifier = stack.store.identifier
        #expect(early.code(of: .fetchHistory(after: later)) == NSPersistentHistoryTokenExpiredError)
    }

    @Test("A token of a store that is not open is a different error")
    func unknownStore() throws {
        let stack = try stack()
        let stranger = try self.stack()
        #expect(stack.code(of: .fetchHistory(after: stranger.token)) == 134_501)
    }

    @Test("A retention time deletes older history at later saves")
    func retention() throws {
        let folder = try ScratchFolder()
        let plain = try HistoryStack(in: folder)
        for number in 0..<3 { try plain.saveCar("\(number)") }
        try plain.coordinator.remove(plain.store)
        let database = try ScratchFolder.tables(at: folder.place(.tested))
        try database.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 3600 WHERE Z_PK < 3")
        let pruning = try HistoryStack(
            in: folder, options: [PersistentHistoryRetentionKey: 1800 as NSNumber])
        #expect(try numbers(pruning) == [1, 2, 3])
        try pruning.saveCar()
        #expect(try numbers(pruning) == [3, 4])
        // Pruning is not due again for a while.
        try database.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 3600 WHERE Z_PK = 3")
        try pruning.saveCar()
        #expect(try numbers(pruning) == [3, 4, 5])
    }

    @Test("A retention time spares what a registered reader has not read, for 90 days")
    func consumers() throws {
        let folder = try ScratchFolder()
        let plain = try HistoryStack(in: folder)
        for number in 0..<4 { try plain.saveCar("\(number)") }
        var metadata = plain.coordinator.metadata(for: plain.store)
        metadata[PersistentHistoryConsumersKey] = ["fast": 3, "slow": 2] as [String: Int]
        plain.coordinator.setMetadata(metadata, for: plain.store)
        try plain.coordinator.remove(plain.store)
        let database = try ScratchFolder.tables(at: folder.place(.tested))
        try database.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 3600")
        let options = [PersistentHistoryRetentionKey: 1800 as NSNumber]
        let pruning = try HistoryStack(in: folder, options: options)
        try pruning.saveCar()
        #expect(try numbers(pruning) == [3, 4, 5])
        try pruning.coordinator.remove(pruning.store)
        try database.execute("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 91 * 86400 WHERE Z_PK < 4")
        let late = try HistoryStack(in: folder, options: options)
        try late.saveCar()
        #expect(try numbers(late) == [4, 5, 6])
    }
}
