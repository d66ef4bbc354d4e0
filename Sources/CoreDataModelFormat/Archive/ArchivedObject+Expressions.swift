import CoreDataPredicates
import CoreDataValues

/// Reads the predicates and expressions in compiled models (mom §4).
extension ArchivedObject: ArchivedNode {
    func expression(_ key: String) -> ExpressionNode? { object(key)?.expressionNode }
    func predicate(_ key: String) -> PredicateNode? { object(key)?.predicateNode }
    func comparisonOperator(_ key: String) -> ArchivedOperator? { object(key).flatMap(ArchivedOperator.init) }

    func expressions(_ key: String) -> [ExpressionNode]? {
        guard let objects = allObjects(key) else { return nil }
        let nodes = objects.compactMap(\.expressionNode)
        return nodes.count == objects.count ? nodes : nil
    }

    func predicates(_ key: String) -> [PredicateNode]? {
        guard let objects = allObjects(key) else { return nil }
        let nodes = objects.compactMap(\.predicateNode)
        return nodes.count == objects.count ? nodes : nil
    }

    func constant(_ key: String) -> ExpressionValue? {
        guard let reference = value(key) else { return .null }
        return constant(reference)
    }

    private func constant(_ reference: PropertyList) -> ExpressionValue? {
        if let value = attributeValue(reference) { return .value(value) }
        guard let object = object(reference) else { return nil }
        if object.className == "NSNull" { return .null }
        let isOrdered = object.className.hasSuffix("Array")
        guard isOrdered || object.className.hasSuffix("Set") else { return nil }
        let elements = object.values("NS.objects")
        let values = elements.compactMap { object.constant($0) }
        return values.count == elements.count ? .collection(values, isOrdered: isOrdered) : nil
    }
}
