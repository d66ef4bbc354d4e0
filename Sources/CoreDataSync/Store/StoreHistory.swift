internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// The part of a store's history that was not read yet: which objects changed, and when last.
struct StoreHistory {
    private(set) var position: HistoryPosition
    private(set) var changed: [NSManagedObjectID: UInt64] = [:]
    private(set) var deleted: [NSManagedObjectID: UInt64] = [:]
    /// Objects that were added, which may be gone.
    private(set) var strays: Set<NSManagedObjectID> = []
    /// The names of the contexts of imports.
    private(set) var imports: Set<String> = []

    /// Reads what came after a position. Returns nil if the history does not reach back that far.
    ///
    /// Changes of any kind only say which objects to look at: hashes decide whether something is new.
    init?(after position: HistoryPosition, of access: StoreAccess, in context: NSManagedObjectContext) throws
    {
        self.position = position
        guard let token = try HistoryPosition.token(position.token),
            let transactions = try Self.transactions(after: token, of: access, in: context)
        else { return nil }
        for transaction in transactions {
            if transaction.author == StoreAccess.author {
                if let name = transaction.contextName { imports.insert(name) }
                continue
            }
            let time = transaction.timestamp.timeIntervalSince1970 * 1000
            let milliseconds = UInt64(exactly: max(0, time.rounded(.down))) ?? 0
            for change in transaction.changes ?? [] { note(change, milliseconds) }
        }
        guard let last = transactions.last else { return }
        let before = transactions.dropLast().last
        self.position.previous = try before.map { try HistoryPosition.archive($0.token) } ?? position.token
        self.position.token = try HistoryPosition.archive(last.token)
        self.position.last = HistoryPosition.Transaction(last)
    }

    /// Adds objects that are to be looked at besides.
    mutating func add(_ ids: [NSManagedObjectID], at milliseconds: UInt64) {
        for id in ids where changed[id] == nil && deleted[id] == nil {
            changed[id] = milliseconds
            strays.insert(id)
        }
    }

    private mutating func note(_ change: NSPersistentHistoryChange, _ milliseconds: UInt64) {
        let id = change.changedObjectID
        switch change.changeType {
        case .insert, .update: changed[id] = milliseconds
        case .delete:
            changed[id] = nil
            deleted[id] = milliseconds
        @unknown default: changed[id] = milliseconds
        }
    }

    /// Returns the transactions after a token; nil if a part of them is gone.
    private static func transactions(
        after token: NSPersistentHistoryToken, of access: StoreAccess, in context: NSManagedObjectContext
    ) throws -> [NSPersistentHistoryTransaction]? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.affectedStores = [access.store]
        do {
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction]
        } catch  where (error as NSError).code == NSPersistentHistoryTokenExpiredError {
            return nil
        }
    }

    /// Returns the last transaction that the history has.
    static func newest(
        of access: StoreAccess, in context: NSManagedObjectContext
    ) throws -> NSPersistentHistoryTransaction? {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.affectedStores = [access.store]
        request.resultType = .transactionsOnly
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return (result?.result as? [NSPersistentHistoryTransaction])?.last
    }

    /// Returns the time of what cannot be known: that of the last transaction that is known, or else now.
    static func latestTime(of access: StoreAccess, in context: NSManagedObjectContext) throws -> UInt64 {
        let last = try newest(of: access, in: context)?.timestamp ?? Date()
        return UInt64(exactly: max(0, (last.timeIntervalSince1970 * 1000).rounded(.down))) ?? 0
    }

    /// Whether a store has gone another way since its history was read: it is an older copy that replaced the
    /// store. A history that is deleted says nothing.
    static func isOlderCopy(
        _ position: HistoryPosition, of access: StoreAccess, in context: NSManagedObjectContext
    ) throws -> Bool {
        guard let last = position.last else { return false }
        if let previous = try position.previous.flatMap(HistoryPosition.token),
            let transactions = try transactions(after: previous, of: access, in: context)
        {
            return transactions.first.map { HistoryPosition.Transaction($0) } != last
        }
        return try newest(of: access, in: context).map { $0.transactionNumber < last.number } ?? false
    }
}
