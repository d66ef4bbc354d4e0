public import Foundation

/// An attribute whose value the store computes at each save.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// What the value is computed from: a key path to one side, `@count` or `@sum` of a to-many, `now()`,
    /// `canonical:`, …
    public var derivationExpression: NSExpression? { willSet { requireMutable() } }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSDerivedAttributeDescription
        copy.derivationExpression = derivationExpression
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSDerivedAttributeDescription else {
            return false
        }
        return derivationExpression.map(ModelText.text) == other.derivationExpression.map(ModelText.text)
    }
}
