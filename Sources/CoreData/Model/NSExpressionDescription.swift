public import Foundation

/// A computed column of a dictionary fetch, or the expression of an index element.
open class NSExpressionDescription: NSPropertyDescription {
    public var expression: NSExpression? { willSet { requireMutable() } }
    /// The type the column's values have.
    public var expressionResultType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    public var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSExpressionDescription
        copy.expression = expression
        copy.expressionResultType = expressionResultType
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSExpressionDescription else { return false }
        return expression.map(ModelText.text) == other.expression.map(ModelText.text)
            && expressionResultType == other.expressionResultType
    }
}
