package import CoreDataValues

/// New rows of one entity.
package struct BatchInsert: Sendable, Hashable {
    package var entity: EntityIndex
    package var policy: TakenValuePolicy
    package var terms: BatchTerms

    package init(entity: EntityIndex, policy: TakenValuePolicy = .fail, terms: BatchTerms = BatchTerms()) {
        self.entity = entity
        self.policy = policy
        self.terms = terms
    }
}

/// What becomes of a new row whose unique values a row of the store has.
package enum TakenValuePolicy: Sendable, Hashable {
    /// The batch fails.
    case fail
    /// The new row is dropped.
    case keepStored
    /// The row of the store takes what it has no value for.
    case fillStored
    /// The row of the store takes what the new one says.
    case updateStored
    /// The row of the store takes every attribute, null ones too.
    case replaceStored
}

/// One row to insert.
package struct BatchRow: @unchecked Sendable {
    /// The values, defaults included; the store gives it its key.
    package let values: Snapshot
    /// The columns that the row was given, as opposed to those that have their defaults.
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
