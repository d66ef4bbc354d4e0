package import CoreDataValues

/// An attribute as its author wrote it: plain, derived or composite.
package struct AttributeElement: Sendable, Hashable {
    package var name: String
    package var type: AttributeType
    package var isOptional: Bool
    package var isTransient: Bool
    /// The default, as a value of the type; for a transformable attribute, its archived object (`.data`).
    package var defaultValue: AttributeValue
    /// The lower limit: a number, a date, or the minimum length of a string.
    package var minimum: AttributeValue
    /// The upper limit: a number, a date, or the maximum length of a string.
    package var maximum: AttributeValue
    package var regularExpression: String?
    /// Whether generated code uses `Int64`, `Double`, … instead of `NSNumber`.
    package var usesScalarType: Bool
    package var valueTransformerName: String?
    /// The Swift type of a transformable attribute's value, for example `[String]`.
    package var customClassName: String?
    /// The name of the `CompositeElement` of an attribute of type `.composite`.
    package var compositeName: String?
    package var allowsExternalStorage: Bool
    package var preservesValueOnDeletion: Bool
    package var isIndexedBySpotlight: Bool
    package var isStoredInExternalRecord: Bool
    /// The legacy `indexed` flag.
    package var isIndexed: Bool
    package var allowsCloudEncryption: Bool
    /// The expression of a derived attribute, in predicate format.
    package var derivationExpression: String?
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [UserInfoEntry]
    /// Whether the source has an empty element for user info.
    package var hasEmptyUserInfo = false
    /// The validation rules beyond the limits above, in models built in code or read from a `.mom`.
    package var validationRules: [ValidationRule]
    package var editorAttributes: [String: String]
    package var extras: [SourceExtra] = []

    package init(
        name: String,
        type: AttributeType,
        isOptional: Bool = false,
        isTransient: Bool = false,
        defaultValue: AttributeValue = .null,
        minimum: AttributeValue = .null,
        maximum: AttributeValue = .null,
        regularExpression: String? = nil,
        usesScalarType: Bool = false,
        valueTransformerName: String? = nil,
        customClassName: String? = nil,
        compositeName: String? = nil,
        allowsExternalStorage: Bool = false,
        preservesValueOnDeletion: Bool = false,
        isIndexedBySpotlight: Bool = false,
        isStoredInExternalRecord: Bool = false,
        isIndexed: Bool = false,
        allowsCloudEncryption: Bool = false,
        derivationExpression: String? = nil,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [UserInfoEntry] = [],
        validationRules: [ValidationRule] = [],
        editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.defaultValue = defaultValue
        self.minimum = minimum
        self.maximum = maximum
        self.regularExpression = regularExpression
        self.usesScalarType = usesScalarType
        self.valueTransformerName = valueTransformerName
        self.customClassName = customClassName
        self.compositeName = compositeName
        self.allowsExternalStorage = allowsExternalStorage
        self.preservesValueOnDeletion = preservesValueOnDeletion
        self.isIndexedBySpotlight = isIndexedBySpotlight
        self.isStoredInExternalRecord = isStoredInExternalRecord
        self.isIndexed = isIndexed
        self.allowsCloudEncryption = allowsCloudEncryption
        self.derivationExpression = derivationExpression
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.validationRules = validationRules
        self.editorAttributes = editorAttributes
    }
}

/// A predicate that a value must satisfy, with the error that is reported when it does not.
package struct ValidationRule: Sendable, Hashable {
    package enum Warning: Sendable, Hashable {
        /// A validation error code (1550 … 1690).
        case code(Int)
        case message(String)
    }

    /// The predicate on the value itself, in predicate format.
    package var predicate: String
    package var warning: Warning

    package init(predicate: String, warning: Warning) {
        self.predicate = predicate
        self.warning = warning
    }
}
