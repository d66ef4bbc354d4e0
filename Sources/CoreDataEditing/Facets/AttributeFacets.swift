import CoreDataJSON
import CoreDataModelFormat
import CoreDataValues

extension AttributeElement: EditorAttributed {
    /// The settings of an attribute besides its name.
    static let facets: [ElementFacet<AttributeElement>] = [
        typeFacet,
        .flag("optional", "optional", \.isOptional, xml: "optional"),
        .flag("transient", "transient", \.isTransient, xml: "transient"),
        value("default", "default", \.defaultValue, xml: "default") { $0 },
        value("minimum", "minimum", \.minimum, xml: "min") { $0.limitType },
        value("maximum", "maximum", \.maximum, xml: "max") { $0.limitType },
        .text("regularExpression", "matches", \.regularExpression, xml: "regularExpressionString"),
        .text("derivation", "derived from", \.derivationExpression, xml: "derivationExpression"),
        .text("composite", "composite", \.compositeName, xml: "composite"),
        transformer,
        .text("customClass", "class", \.customClassName, xml: "customClassName"),
        .flag(
            "externalStorage", "external storage", \.allowsExternalStorage,
            xml: "allowsExternalBinaryDataStorage"),
        scalar,
        .flag("indexed", "indexed", \.isIndexed, xml: "indexed"),
        .flag("spotlight", "Spotlight", \.isIndexedBySpotlight, xml: "spotlightIndexingEnabled"),
        .flag(
            "externalRecord", "external record", \.isStoredInExternalRecord, xml: "storedInTruthFile"),
        .flag(
            "preservedOnDeletion", "preserved on deletion", \.preservesValueOnDeletion,
            xml: "preserveAfterDeletion"),
        .flag(
            "cloudEncryption", "encrypted in cloud", \.allowsCloudEncryption, xml: "allowsCloudEncryption"),
        .text("renamingIdentifier", "renamed from", \.renamingIdentifier, xml: "elementID"),
        .text("hashModifier", "hash modifier", \.versionHashModifier, xml: "versionHashModifier"),
        .userInfo(\.userInfo, isKeptEmpty: \.hasEmptyUserInfo),
        .editorFlag("syncable", "syncable", xml: "syncable"),
    ]

    static let untyped = "Undefined"

    /// A default or a limit that is no value of the new type goes.
    private static let typeFacet = ElementFacet<AttributeElement>(
        name: "type", title: "type", type: .choice(AttributeType.allCases.map { $0.editorName ?? untyped }),
        shown: .always
    ) {
        .string($0.type.editorName ?? untyped)
    } write: { (attribute, value) throws(FacetMismatch) in
        guard let name = value.string,
            let type = name == untyped ? .undefined : AttributeType(editorName: name)
        else { throw FacetMismatch("the name of a type, such as String or Integer 64") }
        guard type != attribute.type else { return }
        let old = attribute.type
        attribute.defaultValue = attribute.defaultValue.converted(from: old, to: type)
        let keepsLimits = old.isNumeric && type.isNumeric
        for key in [\AttributeElement.minimum, \AttributeElement.maximum] {
            attribute[keyPath: key] =
                keepsLimits ? attribute[keyPath: key].converted(from: old, to: type) : .null
        }
        attribute.type = type
        for name in ["attributeType"] + ["default", "min", "max"].flatMap(spellings) {
            attribute.editorAttributes[name] = nil
        }
        if old.isScalarOnDemand || type.isScalarOnDemand {
            attribute.usesScalarType = false
            attribute.editorAttributes["usesScalarValueType"] = type.isScalarOnDemand ? "NO" : nil
        }
    }

    /// Editors since Xcode 9 write of dates and UUIDs also that the setting is off.
    private static let scalar = ElementFacet<AttributeElement>(
        name: "scalar", title: "scalar", type: .flag
    ) {
        .boolean($0.usesScalarType)
    } write: { (attribute, value) throws(FacetMismatch) in
        attribute.usesScalarType = try value.flag
        attribute.editorAttributes["usesScalarValueType"] =
            attribute.type.isScalarOnDemand && !attribute.usesScalarType ? "NO" : nil
    }

    /// A transformer may have an empty name, which is not the same as none.
    private static let transformer = ElementFacet<AttributeElement>(
        name: "transformer", title: "transformer", type: .text
    ) {
        JSONValue(text: $0.valueTransformerName)
    } write: { (attribute, value) throws(FacetMismatch) in
        attribute.valueTransformerName = try value.text
    }

    /// Makes the facet of a default or a limit. A text in the file that is no value of the type is shown,
    /// too.
    private static func value(
        _ name: String, _ title: String, _ key: ElementFacet<AttributeElement>.Key<AttributeValue>,
        xml prefix: String, of typeOfValue: @escaping @Sendable (AttributeType) -> AttributeType
    ) -> ElementFacet<AttributeElement> {
        ElementFacet(name: name, title: title, type: .value) { attribute in
            JSONValue(
                text: attribute[keyPath: key].text(as: typeOfValue(attribute.type))
                    ?? attribute.editorAttributes["\(prefix)ValueString"])
        } write: { (attribute, value) throws(FacetMismatch) in
            let type = typeOfValue(attribute.type)
            var new = AttributeValue.null
            if value != .null {
                guard let text = value.spelling else { throw FacetMismatch(FacetType.value.expected) }
                guard let parsed = AttributeValue(text: text, type: type) else {
                    throw FacetMismatch("a value of type \(type.editorName ?? untyped)")
                }
                new = parsed
            }
            guard new != attribute[keyPath: key] || new.isNull else { return }
            attribute[keyPath: key] = new
            for name in spellings(prefix) { attribute.editorAttributes[name] = nil }
        }
    }

    private static func spellings(_ prefix: String) -> [String] {
        ["\(prefix)ValueString", "\(prefix)DateTimeInterval"]
    }
}

extension AttributeValue {
    fileprivate func converted(from old: AttributeType, to new: AttributeType) -> AttributeValue {
        text(as: old).flatMap { AttributeValue(text: $0, type: new) } ?? .null
    }
}

extension JSONValue {
    /// The text of a value as the editor spells it; nil for a list or an object.
    fileprivate var spelling: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number): number.description
        case .boolean(let flag): flag ? "YES" : "NO"
        case .null, .array, .object: nil
        }
    }
}

extension AttributeType {
    /// Whether the class of an attribute uses an object unless its author wants a scalar, which editors since
    /// Xcode 9 say of each of them.
    fileprivate var isScalarOnDemand: Bool { self == .date || self == .uuid }
}
