import CoreDataSQL
import CoreDataStore
public import Foundation

/// What one save or one batch did to a store: who, when, and the changes if they were asked for.
open class NSPersistentHistoryTransaction: NSObject, NSCopying {
    final let record: HistoryTransaction
    final let source: HistorySource
    private let position: NSPersistentHistoryToken

    init(_ record: HistoryTransaction, of source: HistorySource, token: NSPersistentHistoryToken) {
        self.record = record
        self.source = source
        position = token
    }

    // MARK: What it says

    open var timestamp: Date { record.timestamp }

    /// What happened to each row, in the order it was recorded; nil if the request's result type leaves it out.
    open var changes: [NSPersistentHistoryChange]? {
        record.changes?.map { NSPersistentHistoryChange($0, in: self) }
    }

    /// Grows with each transaction of a store and is never used again.
    open var transactionNumber: Int64 { record.number }

    /// The identifier of the store.
    open var storeID: String { source.storeID }

    /// The bundle identifier of the program that made the changes; empty for a program without a bundle.
    open var bundleID: String { record.bundleID ?? "" }

    /// The name of that program.
    open var processID: String { record.processID ?? "" }

    /// The `name` of the context that was saved.
    open var contextName: String? { record.contextName }

    /// The `transactionAuthor` of that context.
    open var author: String? { record.author }

    /// The moment right after this transaction. Of the other stores that were asked in the same request it covers
    /// what is older, so that the token of the last transaction stands for all of them.
    open var token: NSPersistentHistoryToken { position }

    /// The changes as the notification that the save itself posted, good for merging them into contexts.
    open func objectIDNotification() -> Notification {
        var ids: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] {
            ids[change.changeType, default: []].insert(change.changedObjectID)
        }
        var userInfo: [AnyHashable: Any] = [NSPersistentHistoryTokenKey: token]
        userInfo[NSInsertedObjectIDsKey] = ids[.insert]
        userInfo[NSUpdatedObjectIDsKey] = ids[.update]
        userInfo[NSDeletedObjectIDsKey] = ids[.delete]
        return Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs, object: self, userInfo: userInfo)
    }

    // MARK: Fetching

    /// The entity that fetch requests on transactions are for. Its attributes are `author`, `bundleID`,
    /// `contextName`, `processID`, `timestamp`, `token` and `transactionNumber`, its relationship `changes`.
    open class var entityDescription: NSEntityDescription? {
        HistorySource.entity(named: HistoryModel.transactionName)
    }

    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request on transactions, for the `fetchRequest` of a change request.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        NSFetchRequest(of: entityDescription)
    }

    // MARK: NSObject

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return other.transactionNumber == transactionNumber && other.storeID == storeID
    }

    open override var hash: Int { transactionNumber.hashValue }

    open override var description: String {
        "\(Printing.head(self)) (number: \(transactionNumber), store: \(storeID), author: "
            + "\(author ?? "(null)"), \(timestamp), \(record.changes.map { "\($0.count) changes" } ?? "no changes read"))"
    }
}
