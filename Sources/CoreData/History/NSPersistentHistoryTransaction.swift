import CoreDataStore
public import Foundation

/// A transaction that one save or one batch made in a store: author, time, and the changes if they were asked
/// for.
open class NSPersistentHistoryTransaction: NSObject, NSCopying {
    final let record: HistoryTransaction
    final let source: HistorySource
    private let position: NSPersistentHistoryToken

    init(_ record: HistoryTransaction, of source: HistorySource, token: NSPersistentHistoryToken) {
        self.record = record
        self.source = source
        position = token
    }

    // MARK: Properties

    /// The time at which the transaction was written.
    open var timestamp: Date { record.timestamp }

    /// The changes of rows, in the order they were recorded; nil if the request's result type leaves them
    /// out.
    open var changes: [NSPersistentHistoryChange]? {
        record.changes?.map { NSPersistentHistoryChange($0, in: self) }
    }

    /// The number of the transaction, which grows with each transaction of a store and is never used again.
    open var transactionNumber: Int64 { record.number }

    /// The identifier of the store.
    open var storeID: String { source.storeID }

    /// The bundle identifier of the program that made the changes; empty for a program without a bundle.
    open var bundleID: String { record.bundleID ?? "" }

    /// The name of the program that made the changes.
    open var processID: String { record.processID ?? "" }

    /// The `name` of the context that was saved.
    open var contextName: String? { record.contextName }

    /// The `transactionAuthor` of the context that was saved.
    open var author: String? { record.author }

    /// The moment right after this transaction.
    ///
    /// Unlike Apple's: it also covers what is older in the other stores of the same request, so that the
    /// token of the last transaction stands for all of them.
    open var token: NSPersistentHistoryToken { position }

    /// Returns the changes as the notification that the save itself posted, to be merged into contexts.
    ///
    /// It has no changes if the request's result type left them out.
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

    /// The entity that fetch requests on transactions are for.
    ///
    /// Its attributes are `author`, `bundleID`, `contextName`, `processID`, `timestamp`, `token` and
    /// `transactionNumber`, its relationship `changes`.
    open class var entityDescription: NSEntityDescription? {
        HistorySource.entity(named: HistoryModel.transactionName)
    }

    /// Returns `entityDescription`; the context is not used.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request on transactions, for the `fetchRequest` of a change request.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        NSFetchRequest(of: entityDescription)
    }

    // MARK: NSObject

    /// Returns the transaction itself, which does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether both are the same transaction of the same store.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return other.transactionNumber == transactionNumber && other.storeID == storeID
    }

    /// A hash value of the transaction's number.
    open override var hash: Int { transactionNumber.hashValue }

    /// Number, store, author, time and count of changes, as text.
    open override var description: String {
        "\(Printing.head(self)) (number: \(transactionNumber), store: \(storeID), author: "
            + "\(author ?? "(null)"), \(timestamp), \(record.changes.map { "\($0.count) changes" } ?? "no changes read"))"
    }
}
