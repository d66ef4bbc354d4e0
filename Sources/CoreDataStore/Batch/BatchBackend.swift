package import CoreDataValues

/// A store that can change many rows without loading them. Each batch is one transaction, all or nothing.
package protocol BatchBackend: StoreBackend {
    /// Writes rows as they come, with at most some hundreds of them in memory.
    ///
    /// - Parameters:
    ///   - rows: Returns one row after the other. It is called within the batch's transaction and must not
    ///     save to the same store: the save would fail.
    func run(_ batch: BatchInsert, rows: () -> BatchRowAnswer) throws(StoreError) -> BatchReceipt
    func run(_ batch: BatchUpdate) throws(StoreError) -> BatchReceipt
    func run(_ batch: BatchDelete) throws(StoreError) -> BatchReceipt
}

/// The author of a batch's changes, for the store's history, and the content of its receipt.
package struct BatchTerms: Sendable, Equatable {
    package var author: String?
    package var contextName: String?
    /// Whether the receipt lists the rows.
    package var wantsReferences: Bool

    package init(author: String? = nil, contextName: String? = nil, wantsReferences: Bool = false) {
        self.author = author
        self.contextName = contextName
        self.wantsReferences = wantsReferences
    }
}

/// The answer of a store to a batch.
package struct BatchReceipt: Sendable, Equatable {
    /// The number of rows that were written or deleted.
    package var count = 0
    /// The references of those rows, if the batch asked for them.
    package var references: [ObjectReference] = []
    /// Whether rows that existed before may have changed.
    package var changesExistingRows = false
    /// The position right after the history transaction, if the store keeps history.
    package var historyToken: HistoryMark?

    package init() {}
}
