import CoreDataPredicates
import CoreDataStore

/// The errors of a query's binders.
extension StoreError {
    static func inexpressible(_ expression: ExpressionNode) -> StoreError {
        StoreError(.inexpressible, "SQL cannot express \(expression)")
    }

    static func inexpressible(_ comparison: ComparisonNode, _ reason: String) -> StoreError {
        StoreError(.inexpressible, "\(reason): \(PredicateNode.comparison(comparison))")
    }

    /// Returns the error for a comparison that has no meaning in memory either.
    static func unsupported(_ comparison: ComparisonNode, _ reason: String) -> StoreError {
        StoreError(.unsupported, "\(reason): \(PredicateNode.comparison(comparison))")
    }
}
