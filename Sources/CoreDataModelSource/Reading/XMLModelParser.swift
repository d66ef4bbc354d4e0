package import CoreDataModelFormat
package import Foundation

/// A parser of one `contents` file (xcdatamodel §2).
///
/// It throws only for malformed XML, for a root element other than `<model>` and for a model beyond
/// `ModelBounds`. Every other mistake becomes a diagnostic, so that an editor can open a model that has some.
package struct XMLModelParser {
    package struct Result: Sendable {
        package let document: ModelDocument
        package let locations: SourceLocations
        package let diagnostics: [Diagnostic]
    }

    private let file: String
    var lines: [String: Int] = [:]
    private var diagnostics: [Diagnostic] = []

    /// Makes a parser.
    ///
    /// - Parameter file: The path that diagnostics and errors name.
    package init(file: String) {
        self.file = file
    }

    package consuming func parse(_ data: Data) throws -> Result {
        let root = try XMLTree.parse(data, file: file)
        guard root.name == "model" else {
            throw ModelFileError(file, .notAModel("its root element is <\(root.name)>"), line: root.line)
        }
        var document = model(root)
        document.endsInLineBreak = data.last == UInt8(ascii: "\n")
        do { try ModelBounds.require(document) } catch let error as ModelFileError {
            throw error.inFile(file)
        }
        return Result(
            document: document,
            locations: SourceLocations(file: file, lines: lines),
            diagnostics: diagnostics)
    }

    // MARK: Model

    private mutating func model(_ node: XMLTree) -> ModelDocument {
        var fields = ElementFields(node.attributes)
        var document = ModelDocument()
        if let identifier = fields.take("userDefinedModelVersionIdentifier") {
            document.versionIdentifiers = [identifier]
        }
        document.editorAttributes = fields.rest
        for child in node.children {
            switch child.name {
            case "entity": document.entities.append(entity(child))
            case "fetchRequest": document.fetchRequests.append(fetchRequest(child))
            case "configuration": document.configurations.append(configuration(child))
            case "composite": document.composites.append(composite(child))
            case "elements":
                document.layout += child.children.map { DiagramElement(attributes: $0.attributes) }
            default: warnUnknown(child, at: "")
            }
        }
        return document
    }

    private mutating func configuration(_ node: XMLTree) -> ConfigurationElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: "configuration")
        lines[ElementPath.configuration(name)] = node.line
        let members = node.children.compactMap { child -> String? in
            guard child.name == "memberEntity" else {
                warnUnknown(child, at: ElementPath.configuration(name))
                return nil
            }
            return child.attributes["name"]
        }
        return ConfigurationElement(name: name, entityNames: members, editorAttributes: fields.rest)
    }

    private mutating func composite(_ node: XMLTree) -> CompositeElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: "composite")
        let path = ElementPath.composite(name)
        lines[path] = node.line
        var attributes: [AttributeElement] = []
        for child in node.children {
            if child.name == "attribute" {
                attributes.append(attribute(child, in: path))
            } else {
                warnUnknown(child, at: path)
            }
        }
        return CompositeElement(name: name, attributes: attributes)
    }

    // MARK: Entity

    private mutating func entity(_ node: XMLTree) -> EntityElement {
        var fields = ElementFields(node.attributes)
        var entity = EntityElement(name: required("name", of: node, in: &fields, at: "entity"))
        lines[entity.name] = node.line
        entity.className = fields.takeNonEmpty("representedClassName")
        entity.parentName = fields.takeNonEmpty("parentEntity")
        entity.isAbstract = fields.flag("isAbstract")
        entity.codeGeneration = codeGeneration(&fields, at: entity.name)
        entity.renamingIdentifier = fields.takeNonEmpty("elementID")
        entity.versionHashModifier = fields.takeNonEmpty("versionHashModifier")
        entity.spotlightDisplayNameExpression = fields.takeNonEmpty("coreSpotlightDisplayNameExpression")
        entity.editorAttributes = fields.rest
        for child in node.children {
            switch child.name {
            case "attribute": entity.attributes.append(attribute(child, in: entity.name))
            case "relationship": entity.relationships.append(relationship(child, in: entity.name))
            case "fetchedProperty": entity.fetchedProperties.append(fetchedProperty(child, in: entity.name))
            case "fetchIndex": entity.fetchIndexes.append(fetchIndex(child, in: entity.name))
            case "compoundIndexes": entity.compoundIndexes += names(child, "compoundIndex", entity.name)
            case "uniquenessConstraints":
                entity.uniquenessConstraints += names(child, "uniquenessConstraint", entity.name)
            case "userInfo": entity.userInfo += userInfo(child)
            default: warnUnknown(child, at: entity.name)
            }
        }
        entity.hasEmptyUserInfo = hasEmptyUserInfo(node)
        return entity
    }

    private mutating func codeGeneration(
        _ fields: inout ElementFields, at path: String
    ) -> EntityElement.CodeGeneration {
        guard let text = fields.takeNonEmpty("codeGenerationType") else { return .manual }
        if let mode = EntityElement.CodeGeneration(rawValue: text) { return mode }
        report(.error, at: path, "unknown codeGenerationType \"\(text)\"")
        return .manual
    }

    /// Returns the lists of names in `<compoundIndexes>` or `<uniquenessConstraints>`.
    private mutating func names(_ node: XMLTree, _ group: String, _ path: String) -> [[String]] {
        node.children.compactMap { child in
            guard child.name == group else {
                warnUnknown(child, at: path)
                return nil
            }
            return child.children.compactMap { $0.attributes["value"] }
        }
    }

    func userInfo(_ node: XMLTree) -> [UserInfoEntry] {
        node.children.compactMap { entry in
            guard entry.name == "entry", let key = entry.attributes["key"] else { return nil }
            return UserInfoEntry(key: key, value: entry.attributes["value"] ?? "")
        }
    }

    // MARK: Diagnostics

    mutating func required(
        _ key: String, of node: XMLTree, in fields: inout ElementFields, at path: String
    ) -> String {
        if let value = fields.take(key) { return value }
        diagnostics.append(
            Diagnostic(
                .error, at: path, "<\(node.name)> has no attribute \"\(key)\"", file: file, line: node.line))
        return ""
    }

    mutating func report(_ severity: Diagnostic.Severity, at path: String, _ message: String) {
        let diagnostic = Diagnostic(severity, at: path, message)
        diagnostics.append(SourceLocations(file: file, lines: lines).locating(diagnostic))
    }

    mutating func warnUnknown(_ node: XMLTree, at path: String) {
        diagnostics.append(
            Diagnostic(
                .warning, at: path, "unknown element <\(node.name)> is ignored", file: file, line: node.line))
    }
}
