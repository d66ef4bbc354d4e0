public import Foundation

/// An attribute made of several named ones, which may be composite themselves.
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
