import CoreDataModelFormat
package import CoreDataPredicates
package import CoreDataValues
public import Foundation

/// A description of where the value of one property of the destination comes from.
open class NSPropertyMapping: NSObject {
    /// The name of the property in the destination entity.
    open var name: String?
    /// The expression that yields the value, over `$source`, `$destination`, `$manager`, `$entityMapping`,
    /// `$propertyMapping` and `$entityPolicy`; nil leaves the property its default value.
    open var valueExpression: NSExpression? { didSet { (compiled, knownSourceKeys) = (nil, nil) } }
    /// Values of the app's own.
    open var userInfo: [AnyHashable: Any]?

    /// The expression compiled once for all objects.
    private var compiled: ExpressionEvaluator?
    private var knownSourceKeys: [String]?

    /// Makes an empty mapping.
    public override init() {
        super.init()
    }

    // MARK: NSObject

    /// Returns whether both say the same of a property of the same name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyMapping else { return false }
        return other === self
            || other.name == name && other.valueExpression == valueExpression
                && (other.userInfo ?? [:]) as NSDictionary == (userInfo ?? [:]) as NSDictionary
    }

    /// A hash value of the name.
    open override var hash: Int { name?.hashValue ?? 0 }

    /// Name and expression, as text.
    open override var description: String {
        "(<NSPropertyMapping>) name \(name ?? "(null)"), valueExpression "
            + "\(valueExpression?.description ?? "(null)")"
    }
}

extension NSPropertyMapping {
    convenience init(_ element: PropertyMappingElement) {
        self.init()
        name = element.name
        valueExpression = element.value.map(NSExpression.expression(for:))
        userInfo = element.userInfo.isEmpty ? nil : element.userInfo.dictionary
    }

    final var element: PropertyMappingElement {
        PropertyMappingElement(
            name: name ?? "", value: valueExpression?.node, userInfo: UserInfoEntry.entries(of: userInfo))
    }

    /// The first keys of the paths that the expression reads from `$source`.
    final var sourceKeys: [String] {
        if let knownSourceKeys { return knownSourceKeys }
        let keys = valueExpression?.node.sourceKeys ?? []
        knownSourceKeys = keys
        return keys
    }

    /// Returns the evaluator of the expression, or nil without an expression.
    final func evaluator() throws(EvaluationError) -> ExpressionEvaluator? {
        if let compiled { return compiled }
        guard let valueExpression else { return nil }
        let evaluator = try ExpressionEvaluator(valueExpression.node)
        compiled = evaluator
        return evaluator
    }
}

extension NSPropertyMapping: KeyedValues {
    package final var identity: AnyHashable { AnyHashable(ObjectIdentifier(self)) }
    package final var rowReference: ObjectReference? { nil }

    /// Returns the value that expressions get for a key of `$propertyMapping`.
    package final func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        switch key {
        case "name": ExpressionValue(boxing: name)
        case "userInfo": ExpressionValue(boxing: userInfo)
        default: throw .unknownKey(key, of: "a property mapping")
        }
    }
}
