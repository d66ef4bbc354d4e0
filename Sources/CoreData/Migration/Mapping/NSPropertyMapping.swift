import CoreDataModelFormat
import CoreDataPredicates
public import Foundation

/// Where the value of one property of the destination comes from.
open class NSPropertyMapping: NSObject {
    /// The property, by its name in the destination entity.
    open var name: String?
    /// Yields the value, over `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and
    /// `$entityPolicy`. Nil leaves the property as a new object has it.
    open var valueExpression: NSExpression? { didSet { compiled = nil } }
    open var userInfo: [AnyHashable: Any]?

    /// The expression made ready, once for all objects.
    private var compiled: ExpressionEvaluator?

    public override init() {
        super.init()
    }

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

    /// Nil without an expression.
    final func evaluator() throws(EvaluationError) -> ExpressionEvaluator? {
        if let compiled { return compiled }
        guard let valueExpression else { return nil }
        let evaluator = try ExpressionEvaluator(valueExpression.node)
        compiled = evaluator
        return evaluator
    }
}
