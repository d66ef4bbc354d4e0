public import Foundation

/// An attribute: a property that holds one value.
open class NSAttributeDescription: NSPropertyDescription {
    /// The kind of the values.
    ///
    /// An attribute of an undefined type is not stored.
    public var attributeType = NSAttributeType.undefinedAttributeType { willSet { requireMutable() } }

    /// The kind of the values, under the short names.
    public var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }

    /// The Objective-C name of the class of the values, which follows from the type unless set.
    ///
    /// The name for a transformable attribute is nil unless set.
    public var attributeValueClassName: String? {
        get { ownValueClassName ?? attributeType.valueClassName }
        set {
            requireMutable()
            ownValueClassName = newValue
        }
    }
    final var ownValueClassName: String?

    /// The value of a new object; nil by default.
    ///
    /// A value of another type than the attribute's makes the model unusable. A transformable attribute takes
    /// any object, which an encoded model does not keep.
    public var defaultValue: Any? { willSet { requireMutable() } }

    /// The name of the transformer between a transformable attribute's values and the data that stores keep;
    /// nil stands for `NSSecureUnarchiveFromData`.
    ///
    /// Unlike Apple's: the names of Foundation's transformers that are not secure stand for the secure one,
    /// since data in a file must not choose the classes that it makes objects of.
    public var valueTransformerName: String? { willSet { requireMutable() } }
    /// Whether a SQLite store may keep large values in files beside it; false by default.
    ///
    /// Unlike Apple's: has no effect on the elements of composite attributes, which are stored inline.
    public var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }
    /// Whether the history of a store keeps the value of a deleted object, as the tombstone of the change;
    /// false by default.
    public var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }
    /// Whether a cloud store may encrypt the value; false by default.
    ///
    /// Kept in model files; nothing on Linux reads it.
    public var allowsCloudEncryption = false { willSet { requireMutable() } }

    /// Returns a copy that belongs to no entity and can be changed.
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

    /// Returns whether another attribute has equal contents.
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

    /// The attribute's settings.
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
