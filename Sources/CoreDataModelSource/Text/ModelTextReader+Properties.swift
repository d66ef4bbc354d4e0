import CoreDataModelFormat
import CoreDataValues

extension ModelTextReader {
    static let attributeWords = [
        "transient", "scalar", "external", "preserved", "spotlight", "truth-file", "indexed", "encrypted",
        "full-text", "of", "min", "max", "matches", "derived", "transformer", "class", "was", "hash",
    ]

    /// Reads an attribute of the entity or composite at the path `owner`.
    mutating func attribute(_ line: inout TextLine, in owner: String) throws -> AttributeElement {
        let number = line.number
        let name = try line.name("the name of an attribute")
        draft.lines["\(owner).\(name)"] = number
        var attribute = AttributeElement(name: name, type: try line.attributeType())
        attribute.isOptional = !line.take("!")
        attribute.editorAttributes = common.attribute
        if line.take("=") { attribute.defaultValue = try line.value(of: attribute.type) }
        while !line.isAtEnd {
            if try line.takeFields(into: &attribute.editorAttributes) { continue }
            try word(&line, of: &attribute)
        }
        return attribute
    }

    private func word(_ line: inout TextLine, of attribute: inout AttributeElement) throws {
        switch try line.word(of: Self.attributeWords) {
        case "transient": attribute.isTransient = true
        case "scalar": attribute.usesScalarType = true
        case "external": attribute.allowsExternalStorage = true
        case "preserved": attribute.preservesValueOnDeletion = true
        case "spotlight": attribute.isIndexedBySpotlight = true
        case "truth-file": attribute.isStoredInExternalRecord = true
        case "indexed": attribute.isIndexed = true
        case "encrypted": attribute.allowsCloudEncryption = true
        case "full-text":
            attribute.userInfo.append(UserInfoEntry(key: AttributeElement.fullTextIndexKey, value: "YES"))
        case "of": attribute.compositeName = try line.name("the name of a composite")
        case "min": attribute.minimum = try line.value(of: attribute.type.limitType)
        case "max": attribute.maximum = try line.value(of: attribute.type.limitType)
        case "matches": attribute.regularExpression = try line.text("a regular expression")
        case "derived": attribute.derivationExpression = try line.text("an expression")
        case "transformer": attribute.valueTransformerName = try line.text("the name of a transformer")
        case "class": attribute.customClassName = try line.text("the name of a class")
        case "was": attribute.renamingIdentifier = try line.text("a renaming identifier")
        default: attribute.versionHashModifier = try line.text("a version hash modifier")
        }
    }

    static let relationshipWords = [
        "cascade", "deny", "noAction", "transient", "ordered", "spotlight", "min", "max", "inverse",
        "inverse-entity", "was", "hash",
    ]

    mutating func relationship(_ line: inout TextLine, in owner: String) throws -> RelationshipElement {
        let number = line.number
        let name = try line.name("the name of a relationship")
        draft.lines["\(owner).\(name)"] = number
        var relationship = RelationshipElement(name: name, destinationName: "")
        if line.take("->>>") {
            (relationship.maximumCount, relationship.isOrdered) = (0, true)
        } else if line.take("->>") {
            relationship.maximumCount = 0
        } else if !line.take("->") {
            throw line.expected("->, ->> or ->>>")
        }
        relationship.destinationName = try line.name("the name of the destination entity")
        if line.take(".") {
            relationship.inverseName = try line.name("the name of the inverse relationship")
            relationship.inverseEntityName = relationship.destinationName
        }
        relationship.isOptional = !line.take("!")
        relationship.editorAttributes = common.relationship
        while !line.isAtEnd {
            if try line.takeFields(into: &relationship.editorAttributes) { continue }
            try word(&line, of: &relationship)
        }
        return relationship
    }

    private func word(_ line: inout TextLine, of relationship: inout RelationshipElement) throws {
        switch try line.word(of: Self.relationshipWords) {
        case "cascade": relationship.deleteRule = .cascade
        case "deny": relationship.deleteRule = .deny
        case "noAction": relationship.deleteRule = .noAction
        case "transient": relationship.isTransient = true
        case "ordered": relationship.isOrdered = true
        case "spotlight": relationship.isIndexedBySpotlight = true
        case "min": relationship.minimumCount = try line.integer("a whole number")
        case "max": relationship.maximumCount = try line.integer("a whole number")
        case "inverse": relationship.inverseName = try line.name("the name of the inverse relationship")
        case "inverse-entity":
            relationship.inverseEntityName = try line.name("the name of the inverse's entity")
        case "was": relationship.renamingIdentifier = try line.text("a renaming identifier")
        default: relationship.versionHashModifier = try line.text("a version hash modifier")
        }
    }

    mutating func fetchedProperty(_ line: inout TextLine, in owner: String) throws -> FetchedPropertyElement {
        let number = line.number
        var property = FetchedPropertyElement(
            name: try line.name("the name of a fetched property"), fetchRequest: nil)
        draft.lines["\(owner).\(property.name)"] = number
        guard line.take("=>") else { throw line.expected("=>") }
        property.editorAttributes = common.fetched
        var request: FetchRequestElement?
        if !line.takeWord("nothing") {
            request = FetchRequestElement(
                name: Self.fetchedPropertyRequestName,
                entityName: try line.name("the name of the entity to fetch, or nothing"))
        }
        property.isOptional = !line.take("!")
        while !line.isAtEnd {
            if try line.takeFields(into: &property.editorAttributes) { continue }
            if line.takeWord("was") {
                property.renamingIdentifier = try line.text("a renaming identifier")
            } else if request != nil {
                if line.takeWord("request") { request!.name = try line.name("the name of a fetch request") }
                try requestWords(&line, of: &request!)
            } else {
                throw line.expected("was and a renaming identifier, or [")
            }
        }
        property.fetchRequest = request
        return property
    }

    /// The name that the editor gives the requests of fetched properties.
    static let fetchedPropertyRequestName = "fetchedPropertyFetchRequest"
}
