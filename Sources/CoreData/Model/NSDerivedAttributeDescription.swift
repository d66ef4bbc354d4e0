public import Foundation

/// An attribute whose value the store computes at each save; setting it has no effect on the store.
///
/// An object shows the computed value after it is saved or refreshed.
///
/// Unlike Apple's: a copy of another attribute of the row, or its canonical form, is computed by the save,
/// not by triggers. If Apple's framework writes to a store made by this one, it does not update such a value.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// The expression that computes the value: a key path to an attribute, also over a to-one relationship;
    /// `@count` or `@sum` of a to-many one; `now()`; `canonical:`, `lowercase:` or `uppercase:`.
    ///
    /// A model with a derived attribute without an expression cannot be used; opening a store with another
    /// expression throws 134060 (`NSCoreDataError`).
    public var derivationExpression: NSExpression? { willSet { requireMutable() } }

    /// Returns a copy that belongs to no entity and can be changed.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSDerivedAttributeDescription
        copy.derivationExpression = derivationExpression
        return copy
    }

    /// Returns whether another derived attribute has equal contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSDerivedAttributeDescription else {
            return false
        }
        return derivationExpression.map(ModelText.text) == other.derivationExpression.map(ModelText.text)
    }
}
