package import CoreDataStore
package import CoreDataValues

/// The row operations of one save, in the order they run:
///
/// | step | why there |
/// |---|---|
/// | link removals | their rows may point to rows that go |
/// | deletes | free unique values for the rows that follow |
/// | updates | likewise |
/// | inserts | keys are known beforehand, so nothing depends on them |
/// | link insertions, positions | see all rows |
///
/// Within a step operations are sorted by entity and key. No references are temporary.
package struct SavePlan: @unchecked Sendable {
    package var linkRemovals: [LinkStep] = []
    package var deletes: [RowDeletion] = []
    package var updates: [RowUpdate] = []
    package var inserts: [RowInsertion] = []
    package var linkInsertions: [LinkStep] = []
    /// Rows that must have the version the context knows.
    package var locked: [RowDeletion] = []
    /// Where the rows with temporary keys went.
    package var permanent: ReferenceMap = [:]
}

/// A new row under its permanent key.
package struct RowInsertion: @unchecked Sendable {
    package let reference: ObjectReference
    package let row: Snapshot
}

/// One statement on links. Keys are those of rows of the tables named.
package enum LinkStep: Sendable, Hashable {
    /// Takes a pair out of a join table; in a reflexive one both ways round.
    case unlink(table: String, owner: Column, member: Column, isReflexive: Bool)
    case link(table: String, owner: Column, member: Column)
    /// Takes all pairs of a row out of a join table.
    case unlinkAll(table: String, column: Column)
    /// Sets a column of a row that no property of the row shows: the owner in a to-many without inverse, a
    /// position in an ordered one.
    case set(table: String, column: String, value: Int64?, key: Int64)
    /// Sets a position behind the last one among the rows with the same owner.
    case append(table: String, column: String, owner: Column, key: Column)
    /// Sets a position in a join table.
    case place(table: String, column: String, value: Int64, owner: Column, member: Column)
    /// Clears a column wherever it points to a row.
    case clear(table: String, column: Column)

    package struct Column: Sendable, Hashable {
        package let name: String
        package let key: Int64
    }
}
