package import CoreDataValues

/// A store that can change many rows without anybody reading them: each batch is one transaction, all or nothing.
package protocol BatchBackend: StoreBackend {
    /// Writes rows as they come, with a memory of some hundreds of them.
    ///
    /// - Parameter rows: asked for one row after the other, while the store is being written: a save to the
    ///   same store fails.
    func run(_ batch: BatchInsert, rows: () -> BatchRowAnswer) throws(StoreError) -> BatchReceipt
    func run(_ batch: BatchUpdate) throws(StoreError) -> BatchReceipt
    func run(_ batch: BatchDelete) throws(StoreError) -> BatchReceipt
}

/// Who makes the changes, for the store's history, and what is to be told of them.
package struct BatchTerms: Sendable, Hashable {
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

/// What a batch answers.
package struct BatchReceipt: Sendable, Hashable {
    /// Rows that were written or deleted.
    package var count = 0
    /// The same by reference, if the batch asked for it.
    package var references: [ObjectReference] = []
    /// Whether rows that were there before may look different now.
    package var changesExistingRows = false
    /// Number of the history transaction, where the store keeps history.
    package var historyToken: Int64?

    package init() {}
}
