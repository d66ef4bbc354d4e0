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
    /// The reader of what means nothing, while a file is parsed.
    private var extraReader: SourceExtraReader?

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
        extraReader = SourceExtraReader(data, root: root)
        var document = model(root)
        if let form = extraReader?.form { document.form = form }
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
                document.layout += known(child).map { DiagramElement(attributes: $0.attributes) }
            default: break
            }
        }
        document.extras = extras(of: node, at: "")
        return document
    }

    private mutating func configuration(_ node: XMLTree) -> ConfigurationElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: "configuration")
        lines[ElementPath.configuration(name)] = node.line
        var configuration = ConfigurationElement(
            name: name, entityNames: known(node).compactMap { $0.attributes["name"] },
            editorAttributes: fields.rest)
        configuration.extras = extras(of: node, at: ElementPath.configuration(name))
        return configuration
    }

    private mutating func composite(_ node: XMLTree) -> CompositeElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: "composite")
        let path = ElementPath.composite(name)
        lines[path] = node.line
        var composite = CompositeElement(name: name, attributes: [])
        for child in known(node) { composite.attributes.append(attribute(child, in: path)) }
        composite.extras = extras(of: node, at: path)
        return composite
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
            case "compoundIndexes": entity.compoundIndexes += names(child)
            case "uniquenessConstraints": entity.uniquenessConstraints += names(child)
            case "userInfo": entity.userInfo += userInfo(child)
            default: break
            }
        }
        entity.extras = extras(of: node, at: entity.name)
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
    private func names(_ node: XMLTree) -> [[String]] {
        known(node).map { group in known(group).compactMap { $0.attributes["value"] } }
    }

    func userInfo(_ node: XMLTree) -> [UserInfoEntry] {
        known(node).map {
            UserInfoEntry(key: $0.attributes["key"] ?? "", value: $0.attributes["value"] ?? "")
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

    // MARK: Extras

    /// Returns the children of an element that mean something.
    func known(_ node: XMLTree) -> [XMLTree] {
        node.children.filter { SourceShape.knows($0, in: node) }
    }

    /// Returns what an element contains besides. Warns of the elements and attributes among that, and reports
    /// the conflicts that a merge has marked.
    mutating func extras(of node: XMLTree, at path: String) -> [SourceExtra] {
        warnOfUnknown(in: node, at: path)
        let extras = extraReader?.extras(of: node) ?? []
        for conflict in extras.compactMap(\.conflict) {
            diagnostics.append(
                Diagnostic(
                    .error, at: path, "a merge has left a conflict: \(conflict)", file: file, line: node.line)
            )
        }
        return extras
    }

    private mutating func warnOfUnknown(in node: XMLTree, at path: String) {
        for name in SourceShape.unknownAttributes(of: node) {
            warn("unknown attribute \"\(name)\" of <\(node.name)> has no effect", of: node, at: path)
        }
        for child in node.children {
            if !SourceShape.knows(child, in: node) {
                warn("unknown element <\(child.name)> has no effect", of: child, at: path)
            } else if !SourceShape.carriers.contains(child.name) {
                warnOfUnknown(in: child, at: path)
            }
        }
    }

    private mutating func warn(_ message: String, of node: XMLTree, at path: String) {
        diagnostics.append(Diagnostic(.warning, at: path, message, file: file, line: node.line))
    }
}
