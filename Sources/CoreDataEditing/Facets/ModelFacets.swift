import CoreDataJSON
import CoreDataModelFormat

extension ModelDocument: EditorAttributed {
    /// The settings of a model.
    static let facets: [ElementFacet<ModelDocument>] = [
        ElementFacet(name: "versionIdentifier", title: "version identifier", type: .text) {
            JSONValue(text: $0.versionIdentifiers.first)
        } write: { (model, value) throws(FacetMismatch) in
            model.versionIdentifiers = try value.text.map { [$0] } ?? []
        },
        .editorText("sourceLanguage", "source language", xml: "sourceLanguage"),
        .editorText("minimumToolsVersion", "minimum tools version", xml: "minimumToolsVersion"),
        .editorFlag("usedWithCloudKit", "used with CloudKit", xml: "usedWithCloudKit"),
        .editorFlag("usedWithSwiftData", "used with SwiftData", xml: "usedWithSwiftData"),
    ]
}

extension EntityElement: EditorAttributed {
    /// The settings of an entity besides its name.
    static let facets: [ElementFacet<EntityElement>] = [
        .text("parent", "parent", \.parentName, xml: "parentEntity"),
        .flag("abstract", "abstract", \.isAbstract, xml: "isAbstract"),
        .text("class", "class", \.className, xml: "representedClassName"),
        .choice(
            "codegen", "codegen",
            ["manual": CodeGeneration.manual, "class": .class, "category": .category],
            xml: "codeGenerationType", read: { $0.codeGeneration }, write: { $0.codeGeneration = $1 }),
        .text(
            "displayName", "shown as", \.spotlightDisplayNameExpression,
            xml: "coreSpotlightDisplayNameExpression"),
        .lists("constraints", "unique", \.uniquenessConstraints),
        .lists("compoundIndexes", "compound indexes", \.compoundIndexes),
        .text("renamingIdentifier", "renamed from", \.renamingIdentifier, xml: "elementID"),
        .text("hashModifier", "hash modifier", \.versionHashModifier, xml: "versionHashModifier"),
        .userInfo(\.userInfo, isKeptEmpty: \.hasEmptyUserInfo),
        .editorFlag("syncable", "syncable", xml: "syncable"),
    ]
}

extension ConfigurationElement: EditorAttributed {
    /// The settings of a configuration besides its name.
    static let facets: [ElementFacet<ConfigurationElement>] = [
        .names("members", "of", \.entityNames),
        .editorFlag("usedWithCloudKit", "used with CloudKit", xml: "usedWithCloudKit"),
    ]
}

extension FetchRequestElement: EditorAttributed {
    /// The settings of a fetch request besides its name.
    static let facets: [ElementFacet<FetchRequestElement>] = [
        ElementFacet(name: "entity", title: "fetches", type: .text) {
            JSONValue(text: $0.entityName.isEmpty ? nil : $0.entityName)
        } write: { (request, value) throws(FacetMismatch) in
            request.entityName = try value.text ?? ""
        },
        .text("predicate", "where", \.predicate, xml: "predicateString"),
        .number("limit", "limit", \.fetchLimit, xml: "fetchLimit"),
        .number("offset", "offset", \.fetchOffset, xml: "fetchOffset"),
        .number("batchSize", "batch size", \.fetchBatchSize, xml: "fetchBatchSize"),
        .number("resultType", "result type", \.resultType, xml: "resultType"),
        .flag(
            "includesSubentities", "includes subentities", \.includesSubentities, xml: "includeSubentities"),
        .flag(
            "includesPropertyValues", "includes property values", \.includesPropertyValues,
            xml: "includePropertyValues"),
        .flag(
            "includesPendingChanges", "includes pending changes", \.includesPendingChanges,
            xml: "includesPendingChanges"),
        .flag(
            "returnsObjectsAsFaults", "returns objects as faults", \.returnsObjectsAsFaults,
            xml: "returnObjectsAsFaults"),
        .flag(
            "returnsDistinctResults", "distinct results", \.returnsDistinctResults,
            xml: "returnDistinctResults"),
    ]
}
