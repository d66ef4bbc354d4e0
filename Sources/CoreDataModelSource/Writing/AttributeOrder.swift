/// The order in which the model editor writes the XML attributes of each element.
enum AttributeOrder {
    /// Returns the order for `<model>`: editors before Xcode 8 (tools version 11000) wrote the version
    /// identifier right after the name.
    private static func model(toolsVersion: String?) -> [String] {
        let isOld = toolsVersion.flatMap(Double.init).map { $0 < 11000 } ?? false
        let identifier = ["userDefinedModelVersionIdentifier"]
        let rest = [
            "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
            "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData",
        ]
        return ["name"] + (isOld ? identifier + rest : rest + identifier) + ["macOSVersion", "iOSVersion"]
    }

    /// Returns the order for an element.
    static func of(_ element: SourceElement) -> [String] {
        element.name == "model"
            ? model(toolsVersion: element.attributes["lastSavedToolsVersion"]) : orders[element.name] ?? []
    }

    private static let orders: [String: [String]] = [
        "entity": [
            "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier",
            "syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression",
        ],
        "attribute": [
            "name", "optional", "transient", "attributeType", "composite", "allowsExternalBinaryDataStorage",
            "derived", "derivationExpression", "minDateTimeInterval", "minValueString", "maxDateTimeInterval",
            "maxValueString", "defaultDateTimeInterval", "defaultValueString", "regularExpressionString",
            "usesScalarValueType", "valueTransformerName", "customClassName", "allowsCloudEncryption",
            "preserveAfterDeletion", "elementID", "versionHashModifier", "indexed",
            "spotlightIndexingEnabled", "storedInTruthFile", "syncable",
        ],
        "relationship": [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
            "destinationEntity", "inverseName", "inverseEntity", "elementID", "versionHashModifier",
            "indexed", "spotlightIndexingEnabled", "syncable",
        ],
        "fetchedProperty": ["name", "optional", "elementID", "syncable"],
        "fetchRequest": [
            "name", "entity", "predicateString", "resultType", "fetchLimit", "fetchBatchSize",
            "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
            "returnDistinctResults",
        ],
        "fetchIndexElement": ["property", "expression", "expressionType", "type", "order"],
        "element": ["name", "positionX", "positionY", "width", "height"],
        "fetchIndex": ["name"], "configuration": ["name"], "composite": ["name"], "memberEntity": ["name"],
        "entry": ["key", "value"], "index": ["value"], "constraint": ["value"],
    ]
}
