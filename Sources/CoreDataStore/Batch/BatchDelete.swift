package import CoreDataValues

/// Rows to delete, and with them what their delete rules say.
package struct BatchDelete: Sendable, Hashable {
    package enum Targets: Sendable, Hashable {
        /// What a query finds; its shape does not matter.
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
