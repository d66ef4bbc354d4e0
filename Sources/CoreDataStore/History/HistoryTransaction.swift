package import CoreDataValues
package import Foundation

/// The changes of one save or one batch to a store, as the store's history recorded them.
package struct HistoryTransaction: Sendable, Equatable {
    package var number: Int64
    /// The position right after the transaction.
    package var mark: HistoryMark
    package var timestamp: Date
    package var author: String?
    package var bundleID: String?
    package var contextName: String?
    /// The name of the program.
    package var processID: String?
    /// The changes in the order in which they were recorded; nil if the query did not ask for them.
    package var changes: [HistoryChange]?

    package init(
        number: Int64,
        mark: HistoryMark,
        timestamp: Date,
        author: String? = nil,
        bundleID: String? = nil,
        contextName: String? = nil,
        processID: String? = nil,
        changes: [HistoryChange]? = nil
    ) {
        self.number = number
        self.mark = mark
        self.timestamp = timestamp
        self.author = author
        self.bundleID = bundleID
        self.contextName = contextName
        self.processID = processID
        self.changes = changes
    }
}

/// The change of a transaction to one row.
package struct HistoryChange: Sendable, Equatable {
    /// The kind of change. Raw values are those of `ZCHANGETYPE` (sqlite-store §12) and of
    /// `NSPersistentHistoryChangeType`.
    package enum Kind: Int64, Sendable, Hashable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    package var number: Int64
    package var kind: Kind
    package var row: ObjectReference
    /// The slots that an update wrote.
    package var updatedSlots: [Int]
    /// The preserved values of a deleted row, by slot. Nulls are left out.
    package var tombstone: [Int: AttributeValue]

    package init(
        number: Int64,
        kind: Kind,
        row: ObjectReference,
        updatedSlots: [Int] = [],
        tombstone: [Int: AttributeValue] = [:]
    ) {
        self.number = number
        self.kind = kind
        self.row = row
        self.updatedSlots = updatedSlots
        self.tombstone = tombstone
    }
}
