import CoreDataStore
public import Foundation

/// The form of a result of a request on history.
public enum NSPersistentHistoryResultType: Int, @unchecked Sendable {
    /// Whether the request succeeded: a Boolean `NSNumber`.
    case statusOnly = 0
    /// The IDs of the changed objects, each once.
    case objectIDs = 1
    /// The number of transactions; with a fetch request on changes, the number of changes.
    case count = 2
    /// The transactions without their changes.
    case transactionsOnly = 3
    /// The changes in one list.
    case changesOnly = 4
    /// The transactions with their changes.
    case transactionsAndChanges = 5
}

/// A request to read or delete a part of the history of stores.
///
/// Without `affectedStores` all stores of the coordinator that keep history are asked. `execute(_:)` of a
/// context or coordinator answers with an `NSPersistentHistoryResult`, or throws in `NSCocoaErrorDomain`:
/// 134301 (`NSPersistentHistoryTokenExpiredError`) if a part of the history after the token was deleted,
/// 134501 if the token names a store that the coordinator lacks, 134091
/// (`NSPersistentStoreUnsupportedRequestTypeError`) if no store keeps history or a deletion asks for more
/// than a status or a count, 134060 (`NSCoreDataError`) to sort or limit the history of several stores at
/// once, which is not supported: set `affectedStores`.
///
/// Unlike Apple's: the history of several stores is one list in time, and each object ID is listed once. A
/// store that has history continues it with or without `NSPersistentHistoryTrackingKey`. With the option
/// `PersistentHistoryRetentionKey`, an addition, saves remove history that is older than its seconds.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// The position that the request names.
    enum Position {
        case token(NSPersistentHistoryToken?)
        case date(Date)
    }

    final private(set) var position = Position.token(nil)
    final private(set) var isDeletion = false

    /// The form of the result; by default transactions with their changes, and the status of a deletion.
    open var resultType = NSPersistentHistoryResultType.transactionsAndChanges

    /// The condition on transactions or changes after the named position: a request on the entity of
    /// `NSPersistentHistoryTransaction` or of `NSPersistentHistoryChange`.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    /// Makes a request for the whole history.
    public required override init() {
        super.init()
    }

    private class func make(_ position: Position, isDeletion: Bool = false) -> Self {
        let request = self.init()
        request.position = position
        request.isDeletion = isDeletion
        if isDeletion { request.resultType = .statusOnly }
        return request
    }

    // MARK: Fetching

    /// Returns a request for everything recorded after a date.
    open class func fetchHistory(after date: Date) -> Self { make(.date(date)) }

    /// Returns a request for everything that happened after a token; without a token, for the whole history.
    ///
    /// A store that the token does not cover is read from its beginning. Unlike Apple's: a token from the
    /// future, as after a store was put back from a backup, is an expired one.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { make(.token(token)) }

    /// Returns a request for everything that happened after a transaction; without one, for the whole
    /// history.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        make(.token(transaction?.token))
    }

    /// Returns a request for what a fetch request on transactions or changes finds in the whole history.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        let request = make(.token(nil))
        request.fetchRequest = fetchRequest
        return request
    }

    // MARK: Deleting

    /// Returns a request that deletes what was recorded before a date.
    ///
    /// Unlike Apple's: it deletes up to the first transaction of that date or later. Those after it stay even
    /// if they have earlier dates, as after a clock was set back, so that the history has no gap.
    open class func deleteHistory(before date: Date) -> Self { make(.date(date), isDeletion: true) }

    /// Returns a request that deletes what happened before the transaction that a token stands for, which
    /// stays.
    ///
    /// Without a token it deletes nothing.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        make(.token(token), isDeletion: true)
    }

    /// Returns a request that deletes what happened before a transaction in the transaction's store.
    ///
    /// Without a transaction it deletes nothing.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        let token = transaction.map { transaction in
            let seen = transaction.record.mark.seen
            return NSPersistentHistoryToken(
                [transaction.storeID: HistoryMark(transaction.transactionNumber, seen: seen)])
        }
        return make(.token(token), isDeletion: true)
    }

    /// Returns a request that deletes what happened up to a transaction in the transaction's store, the
    /// transaction included.
    package static func deleteHistory(through transaction: NSPersistentHistoryTransaction) -> Self {
        let mark = HistoryMark(transaction.transactionNumber + 1)
        return make(.token(NSPersistentHistoryToken([transaction.storeID: mark])), isDeletion: true)
    }

    // MARK: The request

    /// The token that the request was made with.
    open var token: NSPersistentHistoryToken? {
        if case .token(let token) = position { token } else { nil }
    }

    /// Always `.fetchRequestType`: requests on history have no number of their own among the public ones.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Returns an independent request with equal settings.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).make(position, isDeletion: isDeletion)
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The result of a request on history.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// A Boolean or a count as `NSNumber`, an array of object IDs, of transactions or of changes, as
    /// `resultType` says.
    public let result: Any?
    /// The form of the result.
    public let resultType: NSPersistentHistoryResultType

    init(_ result: Any?, type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
    }
}
