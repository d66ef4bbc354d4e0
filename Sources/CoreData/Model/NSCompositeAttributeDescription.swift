public import Foundation

/// An attribute made of several named ones, which may be composite themselves.
///
/// Its value is a dictionary, `[String: Any]`, of the elements that have one; nil where none has. Key paths lead into it
/// (`address.city`), in predicates and sort descriptors as well. It is one value to changes, conflicts and undo: set it as a
/// whole. New objects have the defaults of the elements; their rules are checked where the composite has a value. A key
/// that is no element traps. In SQLite stores each element has a column.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    public required init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    public var elements: [NSAttributeDescription] = [] { willSet { requireMutable() } }
    /// The name the elements have in the model file, where several attributes may share them.
    final var compositeName: String?

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSCompositeAttributeDescription
        copy.compositeName = compositeName
        copy.elements = elements.map { $0.copy() as! NSAttributeDescription }
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSCompositeAttributeDescription else {
            return false
        }
        return elements == other.elements
    }
}
