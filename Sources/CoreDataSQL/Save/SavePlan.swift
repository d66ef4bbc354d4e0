package import CoreDataStore
package import CoreDataValues

/// The row operations of one save, in the order they run.
///
/// | step | why there |
/// |---|---|
/// | link removals | their rows may point to rows that are deleted |
/// | deletes | free unique values for the rows that follow |
/// | updates | likewise |
/// | inserts | keys are known beforehand, so nothing depends on them |
/// | link insertions, positions | see all rows |
///
/// Within a step operations are sorted by entity and key.
package struct SavePlan: @unchecked Sendable {
    package var linkRemovals: [LinkStep] = []
    package var deletes: [RowDeletion] = []
    package var updates: [RowUpdate] = []
    /// The new rows, by the references they get; the rows themselves still have their temporary ones.
    package var inserts = InsertedRows()
    package var linkInsertions: [LinkStep] = []
    /// The saved rows whose position in an ordered relationship changes, with the columns of its inverse.
    ///
    /// They need not be among `updates`.
    package var moved: [ObjectReference: ColumnMask] = [:]
    /// The rows that stay as they are, but must have the version the context knows.
    package var expected: [RowExpectation] = []
    /// The permanent references of the rows with temporary keys.
    package var permanent: ReferenceMap = [:]
}

/// One statement on links.
///
/// All keys are permanent.
package enum LinkStep: Sendable, Equatable {
    /// Removes a pair from a join table; from a reflexive one in both directions.
    case unlink(table: SQLIdentifier, owner: Column, member: Column, isReflexive: Bool)
    case link(table: SQLIdentifier, owner: Column, member: Column)
    /// Removes all pairs of rows from a join table.
    case unlinkAll(table: SQLIdentifier, column: SQLIdentifier, keys: ClosedRange<Int64>)
    /// Sets one column of a row: the owner in a to-many without inverse, a position in an ordered one, or nil
    /// in a column whose unique value the row gives up.
    case set(table: SQLIdentifier, column: SQLIdentifier, value: Int64?, key: Int64)
    /// Sets a position after the last one among the rows with the same owner.
    case append(table: SQLIdentifier, column: SQLIdentifier, owner: Column, key: Column)
    /// Sets a position in a join table.
    case setPosition(table: SQLIdentifier, column: SQLIdentifier, value: Int64, owner: Column, member: Column)
    /// Clears a column wherever it points to one of the rows.
    case clear(table: SQLIdentifier, column: SQLIdentifier, keys: ClosedRange<Int64>)

    package struct Column: Sendable, Equatable {
        package let name: SQLIdentifier
        package let key: Int64
    }

    /// The values that the step's statement runs with, in the order of its placeholders.
    package var values: [SQLValue] {
        switch self {
        case .unlink(_, let owner, let member, false), .link(_, let owner, let member):
            [.integer(owner.key), .integer(member.key)]
        case .unlink(_, let owner, let member, true):
            [.integer(owner.key), .integer(member.key), .integer(member.key), .integer(owner.key)]
        case .unlinkAll(_, _, let keys), .clear(_, _, let keys):
            keys.count == 1
                ? [.integer(keys.lowerBound)] : [.integer(keys.lowerBound), .integer(keys.upperBound)]
        case .set(_, _, let value, let key): [value.map(SQLValue.integer) ?? .null, .integer(key)]
        case .append(_, _, let owner, let key):
            [
                .integer(OrderKeys.first - OrderKeys.step), .integer(OrderKeys.step), .integer(owner.key),
                .integer(key.key),
            ]
        case .setPosition(_, _, let value, let owner, let member):
            [.integer(value), .integer(owner.key), .integer(member.key)]
        }
    }

    /// Returns whether both steps are known to have equal statements.
    func isSpelled(as other: LinkStep) -> Bool {
        switch (self, other) {
        case (
            .unlink(let table, let owner, let member, let isReflexive),
            .unlink(let table2, let owner2, let member2, let isReflexive2)
        ):
            table == table2 && owner.name == owner2.name && member.name == member2.name
                && isReflexive == isReflexive2
        case (.link(let table, let owner, let member), .link(let table2, let owner2, let member2)):
            table == table2 && owner.name == owner2.name && member.name == member2.name
        case (.unlinkAll(let table, let column, let keys), .unlinkAll(let table2, let column2, let keys2)),
            (.clear(let table, let column, let keys), .clear(let table2, let column2, let keys2)):
            table == table2 && column == column2 && (keys.count == 1) == (keys2.count == 1)
        case (.set(let table, let column, _, _), .set(let table2, let column2, _, _)):
            table == table2 && column == column2
        // Other steps are rare, or have too many names to be worth comparing.
        default: false
        }
    }
}

extension ArraySlice<RowDeletion> {
    /// The ranges of rows of one entity and version with consecutive keys. Deleting a range by its first and
    /// last key costs less than one statement per row.
    package var neighbours: [Range<Int>] {
        indices.runs { Neighbourhood(self[$0], at: $0) }.map(\.indices)
    }
}

/// A value that is equal for rows of one entity and version that are consecutive both in a list and by key.
private struct Neighbourhood: Equatable {
    let entity: EntityIndex
    /// The key that the row at index 0 would have.
    let firstKey: Int64
    let version: Int64?

    init(_ row: RowDeletion, at index: Int) {
        entity = row.reference.entity
        firstKey = row.reference.key &- Int64(index)
        version = row.version
    }
}
