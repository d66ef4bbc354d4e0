import CoreDataPredicates
import CoreDataValues

/// Predicates and expressions inside compiled models (mom §4).
extension ArchivedObject: ArchivedNode {
    func expression(_ key: String) -> ExpressionNode? { object(key)?.expressionNode }
    func predicate(_ key: String) -> PredicateNode? { object(key)?.predicateNode }
    func comparisonOperator(_ key: String) -> ArchivedOperator? { object(key).flatMap(ArchivedOperator.init) }

    func expressions(_ key: String) -> [ExpressionNode]? {
        let objects = objects(key)
        let nodes = objects.compactMap(\.expressionNode)
        return nodes.count == objects.count ? nodes : nil
    }

    func predicates(_ key: String) -> [PredicateNode]? {
        let objects = objects(key)
        let nodes = objects.compactMap(\.predicateNode)
        return nodes.count == objects.count ? nodes : nil
    }

    func constant(_ key: String) -> ExpressionValue? {
        guard value(key) != nil else { return .null }
        if let value = attributeValue(key) { return .value(value) }
        guard let collection = object(key) else { return nil }
        let elements = collection.values("NS.objects")
        let values = elements.compactMap { collection.attributeValue($0) }
        guard values.count == elements.count else { return nil }
        return .collection(values.map { .value($0) }, isOrdered: collection.className.hasSuffix("Array"))
    }
}
