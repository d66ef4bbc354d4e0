package import CoreDataValues

/// The changes of one save to one store, as values. References to rows that are inserted in the same save carry
/// temporary keys.
///
/// Rows may be borrowed from the objects that are saved. These live until the store has the rows, since no code
/// of the app runs meanwhile.
package struct ChangeSet: @unchecked Sendable {
    package var inserted: InsertedRows
    package var updated: [RowUpdate]
    package var deleted: [RowDeletion]
    package var links: [LinkChange]
    /// Rows that must still have the version the context knows, though they do not change.
    package var locked: [RowDeletion]
    /// Who made the changes, for the store's history.
    package var author: String?
    package var contextName: String?

    package init(
        inserted: [Snapshot] = [],
        updated: [RowUpdate] = [],
        deleted: [RowDeletion] = [],
        links: [LinkChange] = [],
        locked: [RowDeletion] = [],
        author: String? = nil,
        contextName: String? = nil
    ) {
        self.inserted = inserted.isEmpty ? InsertedRows() : InsertedRows(inserted)
        self.updated = updated
        self.deleted = deleted
        self.links = links
        self.locked = locked
        self.author = author
        self.contextName = contextName
    }

    /// The same changes, which keep their rows.
    package func keepingRows() -> ChangeSet {
        var changes = self
        changes.inserted = inserted.keeping()
        for index in updated.indices { changes.updated[index].keepRow() }
        return changes
    }

    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty && locked.isEmpty
    }
}

/// A row that changes: an empty mask only raises its version (a to-many of the object changed).
package struct RowUpdate: @unchecked Sendable {
    /// Those of the row that the change is based on: who plans a save need not look into the rows, each a miss of the
    /// cache.
    package let reference: ObjectReference
    /// The one that the store must still have.
    package let version: Int64
    /// The row with the new values, which lives as long as the update is used.
    package let lent: Unmanaged<Snapshot>
    /// The same, unless somebody else keeps it.
    private var kept: Snapshot?
    package var changed: ColumnMask
    /// Relationships of which the changed columns do not say all that a history tells, as slots: to-many ones
    /// whose members changed, and to-one ones whose object is of another entity than before.
    package let changedLinks: [Int]

    package init(committed: Snapshot, proposed: Snapshot, changed: ColumnMask) {
        self.init(
            committed.reference, version: committed.version, lent: .passUnretained(proposed),
            changed: changed,
            changedLinks: [])
        kept = proposed
    }

    /// - Parameter lent: the row with the new values, which the caller keeps for as long as the update is used.
    package init(
        _ reference: ObjectReference,
        version: Int64,
        lent: Unmanaged<Snapshot>,
        changed: ColumnMask,
        changedLinks: [Int]
    ) {
        self.reference = reference
        self.version = version
        self.lent = lent
        self.changed = changed
        self.changedLinks = changedLinks
    }

    package var proposed: Snapshot { lent.takeUnretainedValue() }

    fileprivate mutating func keepRow() { kept = proposed }
}

/// A row and the version it is expected to have; nil when the context never read it.
package struct RowDeletion: @unchecked Sendable {
    package let reference: ObjectReference
    package let version: Int64?
    package let committed: Snapshot?

    package init(reference: ObjectReference, version: Int64?, committed: Snapshot?) {
        self.reference = reference
        self.version = version
        self.committed = committed
    }
}

/// The new members of a to-many that keeps something of its own in the store: many-to-many, without inverse, or
/// ordered. Both sides of a many-to-many report the pair; the planner writes it once. Members in no order that stay may
/// be missing from both lists.
package struct LinkChange: Sendable {
    package let owner: ObjectReference
    /// Index of the relationship among the owner's slots.
    package let slot: Int
    package let before: [ObjectReference]
    package let after: [ObjectReference]

    package init(owner: ObjectReference, slot: Int, before: [ObjectReference], after: [ObjectReference]) {
        self.owner = owner
        self.slot = slot
        self.before = before
        self.after = after
    }
}

/// What a commit answers.
package struct CommitReceipt: Sendable {
    /// Temporary to permanent references of the inserted rows.
    package var permanent: ReferenceMap
    /// Number of the history transaction, where the store keeps history.
    package var historyToken: Int64?
    /// Rows that may not be what was asked for, by root entity and key: the store's triggers had a hand in them.
    package var derived: Set<ObjectReference>

    package init(
        permanent: ReferenceMap,
        historyToken: Int64? = nil,
        derived: Set<ObjectReference> = []
    ) {
        self.permanent = permanent
        self.historyToken = historyToken
        self.derived = derived
    }
}
