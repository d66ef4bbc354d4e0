import CoreDataModelFormat
import CoreDataValues
import Foundation

extension XMLModelParser {
    /// Reads an attribute of the entity or composite at the path `owner`.
    mutating func attribute(_ node: XMLTree, in owner: String) -> AttributeElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: owner)
        let path = "\(owner).\(name)"
        lines[path] = node.line
        let type = attributeType(&fields, at: path)
        var attribute = AttributeElement(name: name, type: type)
        attribute.isOptional = fields.flag("optional")
        attribute.isTransient = fields.flag("transient")
        attribute.defaultValue = value("default", of: type, in: &fields)
        attribute.minimum = value("min", of: type.limitType, in: &fields)
        attribute.maximum = value("max", of: type.limitType, in: &fields)
        attribute.regularExpression = fields.takeNonEmpty("regularExpressionString")
        attribute.usesScalarType = fields.flag("usesScalarValueType")
        attribute.valueTransformerName = fields.take("valueTransformerName")
        attribute.customClassName = fields.takeNonEmpty("customClassName")
        attribute.compositeName = fields.takeNonEmpty("composite")
        attribute.allowsExternalStorage = fields.flag("allowsExternalBinaryDataStorage")
        attribute.preservesValueOnDeletion = fields.flag("preserveAfterDeletion")
        attribute.isIndexedBySpotlight = fields.flag("spotlightIndexingEnabled")
        attribute.isStoredInExternalRecord = fields.flag("storedInTruthFile")
        attribute.isIndexed = fields.flag("indexed")
        attribute.allowsCloudEncryption = fields.flag("allowsCloudEncryption")
        attribute.derivationExpression = derivation(&fields, at: path)
        attribute.renamingIdentifier = fields.takeNonEmpty("elementID")
        attribute.versionHashModifier = fields.takeNonEmpty("versionHashModifier")
        attribute.editorAttributes = fields.rest
        attribute.userInfo = userInfo(below: node)
        attribute.extras = extras(of: node, at: path)
        attribute.hasEmptyUserInfo = hasEmptyUserInfo(node)
        return attribute
    }

    mutating func relationship(_ node: XMLTree, in owner: String) -> RelationshipElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: owner)
        let path = "\(owner).\(name)"
        lines[path] = node.line
        var relationship = RelationshipElement(
            name: name, destinationName: fields.takeNonEmpty("destinationEntity") ?? "")
        relationship.inverseName = fields.takeNonEmpty("inverseName")
        relationship.inverseEntityName = fields.takeNonEmpty("inverseEntity")
        relationship.isOptional = fields.flag("optional")
        relationship.isTransient = fields.flag("transient")
        relationship.isOrdered = fields.flag("ordered")
        relationship.minimumCount = fields.integer("minCount", default: 0)
        if fields.rest["toMany"] == "YES" {
            _ = fields.take("toMany")
            relationship.maximumCount = fields.integer("maxCount", default: 0)
        } else {
            relationship.maximumCount = fields.take("maxCount").flatMap { Int($0) } ?? 1
        }
        relationship.deleteRule = deleteRule(&fields, at: path)
        relationship.isIndexedBySpotlight = fields.flag("spotlightIndexingEnabled")
        relationship.renamingIdentifier = fields.takeNonEmpty("elementID")
        relationship.versionHashModifier = fields.takeNonEmpty("versionHashModifier")
        relationship.editorAttributes = fields.rest
        relationship.userInfo = userInfo(below: node)
        relationship.extras = extras(of: node, at: path)
        relationship.hasEmptyUserInfo = hasEmptyUserInfo(node)
        return relationship
    }

    mutating func fetchedProperty(_ node: XMLTree, in owner: String) -> FetchedPropertyElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: owner)
        let path = "\(owner).\(name)"
        lines[path] = node.line
        var property = FetchedPropertyElement(
            name: name, isOptional: fields.flag("optional"), fetchRequest: nil)
        property.renamingIdentifier = fields.takeNonEmpty("elementID")
        property.editorAttributes = fields.rest
        for child in node.children {
            switch child.name {
            case "fetchRequest": property.fetchRequest = fetchRequest(child, in: path)
            case "userInfo": property.userInfo += userInfo(child)
            default: break
            }
        }
        property.extras = extras(of: node, at: path)
        property.hasEmptyUserInfo = hasEmptyUserInfo(node)
        return property
    }

    // MARK: Parts

    private mutating func attributeType(_ fields: inout ElementFields, at path: String) -> AttributeType {
        guard let name = fields.takeNonEmpty("attributeType") else { return .undefined }
        if let type = AttributeType(editorName: name) { return type }
        report(.error, at: path, "unknown attribute type \"\(name)\"")
        return .undefined
    }

    /// Reads `defaultValueString`, `minValueString` or `maxValueString`.
    ///
    /// For dates, the number beside the text is the value, and the text only displays it. A text that is not
    /// a value, or that the writer would spell in another way, stays in the editor attributes.
    private func value(
        _ prefix: String, of type: AttributeType, in fields: inout ElementFields
    ) -> AttributeValue {
        let textKey = "\(prefix)ValueString"
        if type == .date, let seconds = fields.rest["\(prefix)DateTimeInterval"].flatMap(Double.init) {
            _ = fields.take("\(prefix)DateTimeInterval")
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
        guard let text = fields.rest[textKey], let value = AttributeValue(text: text, type: type) else {
            return .null
        }
        if type != .date, value.text(as: type) == text { _ = fields.take(textKey) }
        return value
    }

    /// Reads a derivation expression. One without the attribute `derived` is switched off in the editor, and
    /// stays in the editor attributes.
    private mutating func derivation(_ fields: inout ElementFields, at path: String) -> String? {
        guard fields.rest["derived"] == "YES" else { return nil }
        guard let expression = fields.takeNonEmpty("derivationExpression") else {
            report(.error, at: path, "a derived attribute needs a derivation expression")
            return nil
        }
        _ = fields.take("derived")
        return expression
    }

    private mutating func deleteRule(
        _ fields: inout ElementFields, at path: String
    ) -> RelationshipElement.DeleteRule {
        guard let name = fields.takeNonEmpty("deletionRule") else { return .noAction }
        if let rule = RelationshipElement.DeleteRule(editorName: name) { return rule }
        report(.error, at: path, "unknown deletion rule \"\(name)\"")
        return .nullify
    }

    func hasEmptyUserInfo(_ node: XMLTree) -> Bool {
        let elements = node.children.filter { $0.name == "userInfo" }
        return !elements.isEmpty && elements.allSatisfy { userInfo($0).isEmpty }
    }

    private func userInfo(below node: XMLTree) -> [UserInfoEntry] {
        known(node).flatMap { userInfo($0) }
    }
}

extension RelationshipElement.DeleteRule {
    init?(editorName: String) {
        guard let rule = Self.allCases.first(where: { $0.editorName == editorName }) else { return nil }
        self = rule
    }

    var editorName: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}
