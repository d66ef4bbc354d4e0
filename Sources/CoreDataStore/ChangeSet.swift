package import CoreDataValues

/// The changes of one save to one store, as values. References to rows that are inserted in the same save
/// carry temporary keys.
///
/// Rows may be borrowed from the objects that are saved. The objects live until the store has written the
/// rows, since no code of the app runs in between.
package struct ChangeSet: @unchecked Sendable {
    package var inserted: InsertedRows
    package var updated: [RowUpdate]
    package var deleted: [RowDeletion]
    package var links: [LinkChange]
    /// Rows that do not change, but must still have the version the context knows.
    package var expected: [RowExpectation]
    /// The author of the changes, for the store's history.
    package var author: String?
    package var contextName: String?

    package init(
        inserted: [Snapshot] = [],
        updated: [RowUpdate] = [],
        deleted: [RowDeletion] = [],
        links: [LinkChange] = [],
        expected: [RowExpectation] = [],
        author: String? = nil,
        contextName: String? = nil
    ) {
        self.inserted = inserted.isEmpty ? InsertedRows() : InsertedRows(inserted)
        self.updated = updated
        self.deleted = deleted
        self.links = links
        self.expected = expected
        self.author = author
        self.contextName = contextName
    }

    /// Returns these changes with references that keep the rows alive.
    package func keepingRows() -> ChangeSet {
        var changes = self
        changes.inserted = inserted.keeping()
        for index in updated.indices { changes.updated[index].keepRow() }
        return changes
    }

    /// Returns these changes with copies of the rows, which stay as they are when their objects change.
    package func copyingRows() -> ChangeSet {
        var changes = self
        changes.inserted = InsertedRows(inserted.rows.map { $0.clone() })
        changes.updated = updated.map { $0.copyingRow() }
        return changes
    }

    /// Returns whether other changes write the same rows with the same values.
    package func writes(sameAs other: ChangeSet) -> Bool {
        inserted.references == other.inserted.references
            && zip(inserted.rows, other.inserted.rows).allSatisfy { $0.columns(differingFrom: $1).isEmpty }
            && updated.elementsEqual(other.updated) {
                $0.reference == $1.reference && $0.version == $1.version && $0.changed == $1.changed
                    && $0.proposed.columns(differingFrom: $1.proposed).isEmpty
            }
            && deleted.elementsEqual(other.deleted) {
                $0.reference == $1.reference && $0.version == $1.version
            }
            && links == other.links
    }

    /// All rows that must still have the version the context knows, whether they are updated, deleted or
    /// unchanged.
    package var allExpected: [RowExpectation] {
        updated.map { RowExpectation($0.reference, version: $0.version) }
            + deleted.compactMap { row in row.version.map { RowExpectation(row.reference, version: $0) } }
            + expected
    }

    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty && expected.isEmpty
    }
}

/// The update of a row. An empty mask only raises the row's version, when a to-many of the object changed.
package struct RowUpdate: @unchecked Sendable {
    /// The reference of the row that the change is based on. Kept here, like the version, so that planning a
    /// save need not look into the rows, each of which would be a cache miss.
    package let reference: ObjectReference
    /// The version that the store must still have.
    package let version: Int64
    /// The row with the new values, without a counted reference: it lives as long as the update is used.
    package let borrowed: Unmanaged<Snapshot>
    /// A counted reference to that row; nil while its owner keeps it alive.
    private var kept: Snapshot?
    package var changed: ColumnMask
    /// The slots of relationships that a history must list besides the changed columns: to-many relationships
    /// whose members changed, and to-one relationships whose object is of another entity than before.
    package let changedLinks: [Int]

    package init(committed: Snapshot, proposed: Snapshot, changed: ColumnMask) {
        self.init(
            committed.reference, version: committed.version, borrowed: .passUnretained(proposed),
            changed: changed,
            changedLinks: [])
        kept = proposed
    }

    /// - Parameter borrowed: The row with the new values. The caller keeps it alive as long as the update is
    ///   used.
    package init(
        _ reference: ObjectReference,
        version: Int64,
        borrowed: Unmanaged<Snapshot>,
        changed: ColumnMask,
        changedLinks: [Int]
    ) {
        self.reference = reference
        self.version = version
        self.borrowed = borrowed
        self.changed = changed
        self.changedLinks = changedLinks
    }

    package var proposed: Snapshot { borrowed.takeUnretainedValue() }

    fileprivate mutating func keepRow() { kept = proposed }

    fileprivate func copyingRow() -> RowUpdate {
        let copy = proposed.clone()
        var update = RowUpdate(
            reference, version: version, borrowed: .passUnretained(copy), changed: changed,
            changedLinks: changedLinks)
        update.kept = copy
        return update
    }
}

/// A row and the version that it must still have in the store.
package struct RowExpectation: Sendable {
    package let reference: ObjectReference
    package let version: Int64

    package init(_ reference: ObjectReference, version: Int64) {
        self.reference = reference
        self.version = version
    }
}

/// The deletion of a row, with the version that the row is expected to have; nil if the context never read
/// the row.
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

/// The new members of a to-many relationship that has data of its own in the store: many-to-many, without
/// inverse, or ordered.
///
/// Both sides of a many-to-many report a pair; the planner writes it once. In a relationship without order,
/// members that stay may be missing from both lists.
package struct LinkChange: Sendable, Equatable {
    package let owner: ObjectReference
    /// The index of the relationship among the owner's slots.
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

/// The answer of a store to a commit.
package struct CommitReceipt: Sendable {
    /// The permanent references of the inserted rows, by their temporary ones.
    package var permanent: ReferenceMap
    /// The position right after the history transaction, if the store keeps history.
    package var historyToken: HistoryMark?
    /// Rows that the store itself also changed (by triggers or derived texts), by root entity and key. Cached
    /// copies of them must be dropped.
    package var derived: Set<ObjectReference>
    /// Whether the store may have changed other rows, of which it does not know: the server's answer was lost.
    /// Any cached row may be outdated.
    package var mayHaveDerivedMore: Bool

    package init(
        permanent: ReferenceMap,
        historyToken: HistoryMark? = nil,
        derived: Set<ObjectReference> = [],
        mayHaveDerivedMore: Bool = false
    ) {
        self.permanent = permanent
        self.historyToken = historyToken
        self.derived = derived
        self.mayHaveDerivedMore = mayHaveDerivedMore
    }
}
