package import CoreDataPredicates
package import CoreDataValues

/// New values for all rows that match.
package struct BatchUpdate: Sendable, Equatable {
    package struct Assignment: Sendable, Equatable {
        /// The slot index of an attribute or a to-one relationship.
        package var slot: Int
        package var value: Value

        package init(slot: Int, value: Value) {
            self.slot = slot
            self.value = value
        }
    }

    package enum Value: Sendable, Equatable {
        /// A value of the attribute's own type, or a reference.
        case constant(AttributeValue)
        /// Computed from the row as it was before the update.
        case expression(ExpressionNode)
    }

    package var entity: EntityIndex
    package var includesSubentities: Bool
    package var predicate: PredicateNode?
    package var assignments: [Assignment]
    package var terms: BatchTerms

    package init(
        entity: EntityIndex,
        includesSubentities: Bool = true,
        predicate: PredicateNode? = nil,
        assignments: [Assignment],
        terms: BatchTerms = BatchTerms()
    ) {
        self.entity = entity
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.assignments = assignments
        self.terms = terms
    }
}
