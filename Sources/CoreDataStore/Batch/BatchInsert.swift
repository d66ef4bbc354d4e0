package import CoreDataValues

/// The insertion of many rows of one entity.
package struct BatchInsert: Sendable, Equatable {
    package var entity: EntityIndex
    package var policy: TakenValuePolicy
    package var terms: BatchTerms

    package init(entity: EntityIndex, policy: TakenValuePolicy = .fail, terms: BatchTerms = BatchTerms()) {
        self.entity = entity
        self.policy = policy
        self.terms = terms
    }
}

/// The rule for a new row whose unique values a row of the store has already.
package enum TakenValuePolicy: Sendable, Hashable {
    /// The batch fails.
    case fail
    /// The new row is dropped.
    case keepStored
    /// The store's row takes the new values of attributes that are null in it.
    case fillStored
    /// The store's row takes the values that the new row was given.
    case updateStored
    /// The store's row takes every attribute of the new row, nulls included.
    case replaceStored
}

/// One row to insert.
package struct BatchRow: @unchecked Sendable {
    /// The values, defaults included, without a key, which the store assigns.
    package let values: Snapshot
    /// The columns that were given a value, as opposed to those that have their defaults.
    package let given: ColumnMask

    package init(values: Snapshot, given: ColumnMask) {
        self.values = values
        self.given = given
    }
}

package enum BatchRowAnswer: Sendable {
    case row(BatchRow)
    case end
    /// The row cannot be made: nothing is written.
    case invalid(String)
}
