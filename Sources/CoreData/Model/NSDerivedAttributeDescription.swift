public import Foundation

/// An attribute whose value the store computes at each save; setting it has no effect on the store.
///
/// An object shows the computed value after it is saved or refreshed.
///
/// Unlike Apple's: a value that copies another attribute of the row, or has it in a canonical form, is
/// computed by the save, not by triggers. Apple's framework that writes to a store made here does not update
/// it.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// The expression that computes the value: a key path to an attribute, also over a to-one relationship;
    /// `@count` or `@sum` of a to-many one; `now()`; `canonical:`, `lowercase:` or `uppercase:`.
    ///
    /// A model with a derived attribute without one cannot be used; opening a store with another expression
    /// throws 134060 (`NSCoreDataError`).
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
