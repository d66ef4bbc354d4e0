public import Foundation

/// What one save or one batch did to a store, as the store's history has it.
public protocol HistoryTransaction: Sendable {
    /// The type of positions in the history.
    associatedtype TokenType: HistoryToken

    /// The `author` of the context that was saved; nil for none.
    var author: String? { get }
    /// The bundle identifier of the program that made the changes; empty for a program without one.
    var bundleIdentifier: String { get }
    /// The changes of models, in the order in which they were recorded.
    var changes: [HistoryChange] { get }
    /// The name of the program that made the changes.
    var processIdentifier: String { get }
    /// The identifier of the store.
    var storeIdentifier: String { get }
    /// The time at which the transaction was written.
    var timestamp: Date { get }
    /// The position after the transaction: what comes later is greater.
    var token: TokenType { get }
    /// The number of the transaction in its store.
    var transactionIdentifier: Int64 { get }
}

/// A position in the history of stores, up to which everything has been seen.
public protocol HistoryToken: Comparable, Hashable, Codable, Sendable {}

/// A transaction of a container's stores.
public struct DefaultHistoryTransaction: HistoryTransaction {
    /// The `author` of the context that was saved; nil for none.
    public let author: String?
    /// The bundle identifier of the program that made the changes; empty for a program without one.
    public let bundleIdentifier: String
    /// The changes of models, in the order in which they were recorded.
    public let changes: [HistoryChange]
    /// The name of the program that made the changes.
    public let processIdentifier: String
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The time at which the transaction was written.
    public let timestamp: Date
    /// The position after the transaction; of several stores, it covers what is older in all of them.
    public let token: DefaultHistoryToken
    /// The number of the transaction in its store.
    public let transactionIdentifier: Int64
}
