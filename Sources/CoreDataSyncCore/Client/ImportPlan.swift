/// What an import writes to the store, in one save.
package struct ImportPlan: Hashable, Sendable {
    package struct Value: Hashable, Sendable {
        /// The hash of what the store must have; another one means an edit that was not captured.
        package var expected: UInt64
        package var value: SyncValue
    }

    package struct Row: Hashable, Sendable {
        package var id: SyncID
        package var entity: String
        /// Nil: the object is made.
        package var local: LocalKey?
        package var isDeleted = false
        package var values: [String: Value] = [:]
    }

    package struct List: Hashable, Sendable {
        package var owner: SyncID
        package var relationship: String
        package var expected: [SyncID]
        package var members: [SyncID]
    }

    package struct Pair: Hashable, Sendable {
        package var key: ItemKey
        package var isPresent: Bool
    }

    /// In the order of IDs.
    package var rows: [Row] = []
    package var lists: [List] = []
    package var pairs: [Pair] = []

    package var isEmpty: Bool { rows.isEmpty && lists.isEmpty && pairs.isEmpty }
}

/// An import that has begun, as the ledger remembers it until the store and the ledger agree again.
package struct ImportIntent: Hashable, Sendable {
    /// The name of the save, which the store keeps.
    package var batch: SyncID
    /// What the ledger knows once the save is done.
    package var entries: [ItemKey: LedgerEntry?]
    /// The objects that the save makes, known before it.
    package var created: [SyncID: LocalKey] = [:]
    /// Deleted objects that the store still shows afterwards.
    package var kept: Set<SyncID>
    /// Objects that wait, since the store does not take what was received of them.
    package var parked: Set<SyncID>
    /// The received items that wait in the inbox.
    package var waiting: Set<ItemKey>
    /// Where the reader stands afterwards.
    package var cursor: Cursor
    /// The digest of the zone at that place, to be compared.
    package var digest: UInt64?

    package init(
        batch: SyncID, entries: [ItemKey: LedgerEntry?], created: [SyncID: LocalKey] = [:], kept: Set<SyncID>,
        parked: Set<SyncID>, waiting: Set<ItemKey> = [], cursor: Cursor, digest: UInt64?
    ) {
        self.batch = batch
        self.entries = entries
        self.created = created
        self.kept = kept
        self.parked = parked
        self.waiting = waiting
        self.cursor = cursor
        self.digest = digest
    }
}
