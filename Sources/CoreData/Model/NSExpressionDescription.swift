public import Foundation

/// A computed column of a dictionary fetch, or the expression of an index element.
open class NSExpressionDescription: NSPropertyDescription {
    /// The expression that computes the column; without an expression the column is the property with the
    /// description's name.
    public var expression: NSExpression? { willSet { requireMutable() } }
    /// The type of the column's values.
    public var expressionResultType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the column's values, under the short names.
    public var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }

    /// Returns a copy that belongs to no entity and can be changed.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSExpressionDescription
        copy.expression = expression
        copy.expressionResultType = expressionResultType
        return copy
    }

    /// Returns whether another description has an equal expression and type.
    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSExpressionDescription else { return false }
        return expression.map(ModelText.text) == other.expression.map(ModelText.text)
            && expressionResultType == other.expressionResultType
    }
}
