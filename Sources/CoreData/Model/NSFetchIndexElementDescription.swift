public import Foundation

/// How the rows of an index are found.
public enum NSFetchIndexElementType: UInt, @unchecked Sendable {
    case binary = 0
    case rTree = 1
}

/// One column of an index: a property or an expression, and a direction.
open class NSFetchIndexElementDescription: NSObject, NSCoding, NSCopying {
    /// The property as it was given; an attribute, a to-one relationship or an `NSExpressionDescription`.
    public let property: NSPropertyDescription?
    /// The index the element belongs to.
    public internal(set) weak var indexDescription: NSFetchIndexDescription?
    final var isFrozen = false

    public var collationType: NSFetchIndexElementType { willSet { requireMutable() } }
    public var isAscending = true { willSet { requireMutable() } }

    public var propertyName: String? { property?.name }

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

    open func copy(with zone: NSZone? = nil) -> Any { replica(with: property) }

    /// The same element on another entity's property.
    final func replica(with property: NSPropertyDescription?) -> NSFetchIndexElementDescription {
        let copy = NSFetchIndexElementDescription(property, collationType)
        copy.isAscending = isAscending
        return copy
    }

    open func encode(with coder: NSCoder) {
        failToEncodeDescription(self, with: coder)
    }

    public required init?(coder: NSCoder) {
        property = nil
        collationType = .binary
        super.init()
        failToDecodeDescription(coder)
        return nil
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return collationType == other.collationType && isAscending == other.isAscending
            && property == other.property
    }

    open override var hash: Int { propertyName?.hashValue ?? 0 }

    open override var description: String {
        "<NSFetchIndexElementDescription: \(propertyName ?? "(null)") \(isAscending ? "ascending" : "descending")>"
    }
}
