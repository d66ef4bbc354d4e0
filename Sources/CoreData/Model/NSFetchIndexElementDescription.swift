public import Foundation

/// The structure of an index.
public enum NSFetchIndexElementType: UInt, @unchecked Sendable {
    /// A B-tree: for equality, ranges and order.
    case binary = 0
    /// An R-tree: for ranges of several numbers at once, such as coordinates.
    case rTree = 1
}

/// One column of an index: a property or an expression, and a direction.
open class NSFetchIndexElementDescription: NSObject, NSCoding, NSCopying {
    /// The property: an attribute, a to-one relationship or an `NSExpressionDescription`.
    public let property: NSPropertyDescription?
    /// The index the element belongs to; nil before it is among an index's elements.
    public internal(set) weak var indexDescription: NSFetchIndexDescription?
    final var isFrozen = false

    /// The structure of the index; all elements of an index need the same.
    public var collationType: NSFetchIndexElementType { willSet { requireMutable() } }
    /// The direction of the column; true by default.
    public var isAscending = true { willSet { requireMutable() } }

    /// The name of the property.
    public var propertyName: String? { property?.name }

    /// Makes a column of an index.
    public convenience init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.init(property, collationType)
    }

    private init(_ property: NSPropertyDescription?, _ collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        super.init()
    }

    private func requireMutable() {
        if isFrozen { immutableModelError() }
    }

    /// Returns a copy that belongs to no index and can be changed.
    open func copy(with zone: NSZone? = nil) -> Any { replica(with: property) }

    /// Returns a copy for another entity's property.
    final func replica(with property: NSPropertyDescription?) -> NSFetchIndexElementDescription {
        let copy = NSFetchIndexElementDescription(property, collationType)
        copy.isAscending = isAscending
        return copy
    }

    /// Fails the coder with `CocoaError.coderInvalidValue`: encode the model.
    open func encode(with coder: NSCoder) {
        failToEncodeDescription(self, with: coder)
    }

    /// Fails the coder with `CocoaError.coderReadCorrupt`: decode the model.
    public required init?(coder: NSCoder) {
        property = nil
        collationType = .binary
        super.init()
        failToDecodeDescription(coder)
        return nil
    }

    /// Returns whether another element has an equal property, structure and direction.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return collationType == other.collationType && isAscending == other.isAscending
            && property == other.property
    }

    /// A hash of the property's name.
    open override var hash: Int { propertyName?.hashValue ?? 0 }

    /// The property's name and the direction.
    open override var description: String {
        "<NSFetchIndexElementDescription: \(propertyName ?? "(null)") \(isAscending ? "ascending" : "descending")>"
    }
}
