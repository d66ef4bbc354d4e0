import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension KeyPathSurvey {
    /// Throws unless a full-text search names attributes that have an index. Nothing in memory needs the
    /// index, but a predicate that works on rows in memory must work on any store.
    mutating func checkSearch(_ comparison: ComparisonNode) throws(StoreError) {
        let parts: [ExpressionNode] =
            if case .aggregate(let elements) = comparison.left { elements } else { [comparison.left] }
        for case .keyPath(let operand, let keys) in parts {
            let way = Array(keys.dropLast())
            guard let key = keys.last, let start = try follow(operand),
                let owner = try follow(way, from: start), let slot = model[owner.entity].slot(named: key)
            else { continue }
            try model.requireFullTextIndex(slot, of: model[owner.entity])
            guard comparison.modifier == .direct, leadsToMany(way, from: start.entity) else { continue }
            throw StoreError(
                .unsupported, "to-many key not allowed here: \(PredicateNode.comparison(comparison))")
        }
        if case .constant(let value) = comparison.right, !value.isSearchable {
            throw StoreError(
                .unsupported,
                "\(FullTextQuery.selector) needs a string on its right: \(PredicateNode.comparison(comparison))"
            )
        }
    }

    private func leadsToMany(_ keys: [String], from start: EntityIndex) -> Bool {
        var current = model[start]
        for key in keys {
            guard let relationship = current.slot(named: key)?.relationship else { continue }
            if relationship.isToMany { return true }
            current = model[relationship.destination]
        }
        return false
    }
}

extension ExpressionValue {
    fileprivate var isSearchable: Bool {
        switch self {
        case .value(.string), .value(.null): true
        default: false
        }
    }
}
