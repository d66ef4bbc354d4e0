import CoreDataStore
public import Foundation

/// What a request on the history answers with.
public enum NSPersistentHistoryResultType: Int, @unchecked Sendable {
    /// Whether it succeeded.
    case statusOnly = 0
    /// The IDs of the changed objects, each once.
    case objectIDs = 1
    /// How many transactions there are; with a fetch request on changes, how many changes.
    case count = 2
    case transactionsOnly = 3
    case changesOnly = 4
    case transactionsAndChanges = 5
}

/// Reads or deletes a part of the history of stores.
///
/// Without `affectedStores` all stores of the coordinator that keep history are asked. The answer is an
/// `NSPersistentHistoryResult`.
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// A moment as clients name it.
    enum Place {
        case token(NSPersistentHistoryToken?)
        case date(Date)
    }

    final private(set) var place = Place.token(nil)
    final private(set) var isDeletion = false

    /// What to answer with; unless set transactions with their changes, or the status of a deletion.
    open var resultType = NSPersistentHistoryResultType.transactionsAndChanges

    /// Which transactions or changes to fetch, of those that the place leaves: a request on the entity of
    /// `NSPersistentHistoryTransaction` or of `NSPersistentHistoryChange`.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    public required override init() {
        super.init()
    }

    private class func make(_ place: Place, isDeletion: Bool = false) -> Self {
        let request = self.init()
        request.place = place
        request.isDeletion = isDeletion
        if isDeletion { request.resultType = .statusOnly }
        return request
    }

    // MARK: Fetching

    /// Everything recorded after a date.
    open class func fetchHistory(after date: Date) -> Self { make(.date(date)) }

    /// Everything that happened after a token; the whole history without one. A store that the token does not
    /// cover is read from its beginning.
    ///
    /// Execution throws `NSPersistentHistoryTokenExpiredError` if a part of what came after the token was deleted.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { make(.token(token)) }

    /// Everything that happened after a transaction.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        make(.token(transaction?.token))
    }

    /// What a fetch request on transactions or changes finds.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        let request = make(.token(nil))
        request.fetchRequest = fetchRequest
        return request
    }

    // MARK: Deleting

    /// Deletes what was recorded before a date.
    open class func deleteHistory(before date: Date) -> Self { make(.date(date), isDeletion: true) }

    /// Deletes what happened before the transaction that a token stands for, which stays. Nothing without a token.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        make(.token(token), isDeletion: true)
    }

    /// Deletes what happened before a transaction of its store. Nothing without one.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        let token = transaction.map { NSPersistentHistoryToken([$0.storeID: $0.transactionNumber]) }
        return make(.token(token), isDeletion: true)
    }

    // MARK: The request

    /// The token that the request was made with.
    open var token: NSPersistentHistoryToken? {
        if case .token(let token) = place { token } else { nil }
    }

    /// Requests on history have no number of their own among the public ones.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).make(place, isDeletion: isDeletion)
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The answer to a request on history: a Boolean as number, a number, object IDs, transactions or changes, as the
/// request asked.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    public let result: Any?
    public let resultType: NSPersistentHistoryResultType

    init(_ result: Any?, type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
    }
}
