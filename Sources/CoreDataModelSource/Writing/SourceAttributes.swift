import CoreDataModelFormat
import CoreDataValues
import Foundation

/// Makes the XML attributes of elements, the inverse of `XMLModelParser`. A property of the element replaces
/// an editor attribute of the same name.
extension [String: String] {
    func with(_ key: String, _ value: String?) -> [String: String] {
        guard let value else { return self }
        return merging([key: value]) { _, new in new }
    }

    func with(_ key: String, flag: Bool, default fallback: Bool = false) -> [String: String] {
        flag == fallback ? self : with(key, flag ? "YES" : "NO")
    }

    func with(_ key: String, number: Int, default fallback: Int = 0) -> [String: String] {
        number == fallback ? self : with(key, String(number))
    }
}

extension EntityElement {
    var sourceAttributes: [String: String] {
        editorAttributes.with("name", name)
            .with("representedClassName", className)
            .with("parentEntity", parentName)
            .with("isAbstract", flag: isAbstract)
            .with("codeGenerationType", codeGeneration == .manual ? nil : codeGeneration.rawValue)
            .with("elementID", renamingIdentifier)
            .with("versionHashModifier", versionHashModifier)
            .with("coreSpotlightDisplayNameExpression", spotlightDisplayNameExpression)
    }
}

extension AttributeElement {
    var sourceAttributes: [String: String] {
        let identity = editorAttributes.with("name", name)
            .with("attributeType", type.editorName)
            .with("optional", flag: isOptional)
            .with("transient", flag: isTransient)
            .with("regularExpressionString", regularExpression)
            .with("elementID", renamingIdentifier)
            .with("versionHashModifier", versionHashModifier)
        let storage =
            identity
            .with("usesScalarValueType", flag: usesScalarType)
            .with("valueTransformerName", valueTransformerName)
            .with("customClassName", customClassName)
            .with("composite", compositeName)
            .with("allowsExternalBinaryDataStorage", flag: allowsExternalStorage)
            .with("preserveAfterDeletion", flag: preservesValueOnDeletion)
            .with("spotlightIndexingEnabled", flag: isIndexedBySpotlight)
            .with("storedInTruthFile", flag: isStoredInExternalRecord)
            .with("indexed", flag: isIndexed)
            .with("allowsCloudEncryption", flag: allowsCloudEncryption)
            .with("derived", derivationExpression == nil ? nil : "YES")
            .with("derivationExpression", derivationExpression)
        return Self.adding(defaultValue, as: "default", of: type, to: storage)
            .merging(Self.adding(minimum, as: "min", of: type.limitType, to: [:])) { old, _ in old }
            .merging(Self.adding(maximum, as: "max", of: type.limitType, to: [:])) { old, _ in old }
    }

    /// Returns the attributes with a value added. Keeps the editor's text for it if that text spells the same
    /// value.
    private static func adding(
        _ value: AttributeValue, as prefix: String, of type: AttributeType, to attributes: [String: String]
    ) -> [String: String] {
        let key = "\(prefix)ValueString"
        if case .date(let date) = value, type == .date {
            let seconds = date.timeIntervalSinceReferenceDate
            let number = Int64(exactly: seconds).map(String.init) ?? String(seconds)
            return [key: value.text(as: type) ?? ""].merging(attributes) { _, old in old }
                .with("\(prefix)DateTimeInterval", number)
        }
        guard !value.isNull, let text = value.text(as: type) else { return attributes }
        if let spelled = attributes[key], AttributeValue(text: spelled, type: type) == value {
            return attributes
        }
        return attributes.with(key, text)
    }
}

extension RelationshipElement {
    var sourceAttributes: [String: String] {
        editorAttributes.with("name", name)
            .with("destinationEntity", destinationName.isEmpty ? nil : destinationName)
            .with("inverseName", inverseName)
            .with("inverseEntity", inverseEntityName)
            .with("optional", flag: isOptional)
            .with("transient", flag: isTransient)
            .with("ordered", flag: isOrdered)
            .with("toMany", flag: isToMany)
            .with("minCount", number: minimumCount)
            .with("maxCount", number: maximumCount)
            .with("deletionRule", deleteRule.editorName)
            .with("spotlightIndexingEnabled", flag: isIndexedBySpotlight)
            .with("elementID", renamingIdentifier)
            .with("versionHashModifier", versionHashModifier)
    }
}

extension FetchedPropertyElement {
    var sourceAttributes: [String: String] {
        editorAttributes.with("name", name)
            .with("optional", flag: isOptional)
            .with("elementID", renamingIdentifier)
    }
}

extension FetchRequestElement {
    var sourceAttributes: [String: String] {
        editorAttributes.with("name", name)
            .with("entity", entityName)
            .with("predicateString", predicate)
            .with("fetchLimit", number: fetchLimit)
            .with("fetchOffset", number: fetchOffset)
            .with("fetchBatchSize", number: fetchBatchSize)
            .with("resultType", number: resultType)
            .with("includeSubentities", flag: includesSubentities, default: true)
            .with("includePropertyValues", flag: includesPropertyValues, default: true)
            .with("includesPendingChanges", flag: includesPendingChanges, default: true)
            .with("returnObjectsAsFaults", flag: returnsObjectsAsFaults, default: true)
            .with("returnDistinctResults", flag: returnsDistinctResults)
    }
}

extension FetchIndexElement.Element {
    var sourceAttributes: [String: String] {
        [:].with("property", propertyName)
            .with("expression", expression)
            .with("expressionType", expression == nil ? nil : expressionType.editorName)
            .with("type", kind.editorName)
            .with("order", isAscending ? "ascending" : "descending")
    }
}
