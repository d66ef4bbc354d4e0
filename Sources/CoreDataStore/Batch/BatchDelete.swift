package import CoreDataValues

/// Rows to delete, together with the rows that their delete rules include.
package struct BatchDelete: Sendable, Equatable {
    package enum Targets: Sendable, Equatable {
        /// The rows that a query finds; its shape does not matter.
        case query(FetchQuery)
        /// Rows of one inheritance tree.
        case rows([ObjectReference], of: EntityIndex)
    }

    package var targets: Targets
    package var terms: BatchTerms

    package init(_ targets: Targets, terms: BatchTerms = BatchTerms()) {
        self.targets = targets
        self.terms = terms
    }
}
