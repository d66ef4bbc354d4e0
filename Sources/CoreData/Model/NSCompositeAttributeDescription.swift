public import Foundation

/// An attribute made of several named ones, which may be composite themselves.
///
/// Its value is a dictionary, `[String: Any]`, of the elements that have one. Key paths lead into it
/// (`address.city`), in predicates and sort descriptors as well. Changes, conflicts and undo treat it as one
/// value: set it as a whole. A key that names no element traps. New objects have the defaults of the
/// elements.
///
/// Unlike Apple's: each element has a column in SQLite stores, named like the column of an attribute with the
/// element's name. A composite without a value in any element is nil, and the rules of its elements are
/// checked only where it has a value; the key of a validation error is the element's path. It cannot be
/// unique, and an index of it covers all its elements.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    /// Makes a composite attribute without elements.
    public required init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    /// Fails the coder with `CocoaError.coderReadCorrupt`: decode the model.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// The elements, each with a name of its own.
    public var elements: [NSAttributeDescription] = [] { willSet { requireMutable() } }
    /// The name of the elements in the model file, where several attributes may share them.
    final var compositeName: String?

    /// Returns a copy with copies of the elements.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSCompositeAttributeDescription
        copy.compositeName = compositeName
        copy.elements = elements.map { $0.copy() as! NSAttributeDescription }
        return copy
    }

    /// Returns whether another composite has equal contents and elements.
    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSCompositeAttributeDescription else {
            return false
        }
        return elements == other.elements
    }
}
