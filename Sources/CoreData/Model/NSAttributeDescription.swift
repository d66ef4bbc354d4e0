public import Foundation

/// An attribute: a property that holds one value.
open class NSAttributeDescription: NSPropertyDescription {
    public var attributeType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    public var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }

    /// The class of the values; follows from the type unless set.
    public var attributeValueClassName: String? {
        get { ownValueClassName ?? attributeType.valueClassName }
        set {
            requireMutable()
            ownValueClassName = newValue
        }
    }
    final var ownValueClassName: String?

    /// The value of a new object.
    ///
    /// Any object for a transformable attribute.
    public var defaultValue: Any? { willSet { requireMutable() } }

    /// The transformer between a transformable's value and the data stored for it.
    public var valueTransformerName: String? { willSet { requireMutable() } }
    /// Large values may be kept in files beside the store.
    public var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }
    /// A deletion's history entry keeps the value.
    public var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }
    public var allowsCloudEncryption = false { willSet { requireMutable() } }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSAttributeDescription
        copy.attributeType = attributeType
        copy.ownValueClassName = ownValueClassName
        copy.defaultValue = defaultValue
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSAttributeDescription else { return false }
        return attributeType == other.attributeType
            && attributeValueClassName == other.attributeValueClassName
            && areEqual(defaultValue, other.defaultValue)
            && valueTransformerName == other.valueTransformerName
            && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
            && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
            && allowsCloudEncryption == other.allowsCloudEncryption
    }

    open override var description: String {
        super.description
            + ", attributeType \(attributeType.rawValue), attributeValueClassName "
            + "\(attributeValueClassName ?? "(null)"), defaultValue \(defaultValue.map { "\($0)" } ?? "(null)"), "
            + "preservesValueInHistoryOnDeletion \(preservesValueInHistoryOnDeletion)"
    }

    private func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): [left] as NSArray == [right] as NSArray
        default: false
        }
    }
}
