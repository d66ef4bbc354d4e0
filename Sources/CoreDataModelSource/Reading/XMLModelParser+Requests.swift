import CoreDataModelFormat
import CoreDataValues

extension XMLModelParser {
    /// Reads a template of the model.
    mutating func fetchRequest(_ node: XMLTree) -> FetchRequestElement {
        fetchRequest(node, in: ElementPath.fetchRequest(node.attributes["name"] ?? ""))
    }

    /// Reads a template, or the request of the fetched property at `path`.
    mutating func fetchRequest(_ node: XMLTree, in path: String) -> FetchRequestElement {
        var fields = ElementFields(node.attributes)
        if lines[path] == nil { lines[path] = node.line }
        var request = FetchRequestElement(
            name: required("name", of: node, in: &fields, at: path),
            entityName: fields.take("entity") ?? "")
        request.predicate = fields.takeNonEmpty("predicateString")
        request.fetchLimit = fields.integer("fetchLimit", default: 0)
        request.fetchOffset = fields.integer("fetchOffset", default: 0)
        request.fetchBatchSize = fields.integer("fetchBatchSize", default: 0)
        request.resultType = fields.integer("resultType", default: 0)
        request.includesSubentities = fields.flag("includeSubentities", default: true)
        request.includesPropertyValues = fields.flag("includePropertyValues", default: true)
        request.includesPendingChanges = fields.flag("includesPendingChanges", default: true)
        request.returnsObjectsAsFaults = fields.flag("returnObjectsAsFaults", default: true)
        request.returnsDistinctResults = fields.flag("returnDistinctResults")
        request.editorAttributes = fields.rest
        request.extras = extras(of: node, at: path)
        return request
    }

    mutating func fetchIndex(_ node: XMLTree, in owner: String) -> FetchIndexElement {
        var fields = ElementFields(node.attributes)
        let name = required("name", of: node, in: &fields, at: owner)
        let path = ElementPath.fetchIndex(name, of: owner)
        lines[path] = node.line
        var index = FetchIndexElement(name: name, elements: [])
        index.partialPredicate = fields.takeNonEmpty("partialIndexPredicate")
        index.editorAttributes = fields.rest
        for child in known(node) { index.elements.append(fetchIndexElement(child, at: path)) }
        index.extras = extras(of: node, at: path)
        return index
    }

    private mutating func fetchIndexElement(_ node: XMLTree, at path: String) -> FetchIndexElement.Element {
        var fields = ElementFields(node.attributes)
        var element = FetchIndexElement.Element(propertyName: fields.takeNonEmpty("property"))
        element.expression = fields.takeNonEmpty("expression")
        if let name = fields.takeNonEmpty("expressionType") {
            if let type = AttributeType(editorName: name) {
                element.expressionType = type
            } else {
                report(.error, at: path, "unknown expression type \"\(name)\"")
            }
        }
        if let name = fields.takeNonEmpty("type") {
            if let kind = FetchIndexElement.Kind(editorName: name) {
                element.kind = kind
            } else {
                report(.error, at: path, "unknown index element type \"\(name)\"")
            }
        }
        element.isAscending = fields.take("order") != "descending"
        if element.propertyName == nil, element.expression == nil {
            report(.error, at: path, "an index element needs a property or an expression")
        }
        return element
    }
}

extension FetchIndexElement.Kind {
    init?(editorName: String) {
        guard let kind = [Self.binary, .rTree].first(where: { $0.editorName == editorName }) else {
            return nil
        }
        self = kind
    }

    var editorName: String {
        switch self {
        case .binary: "Binary"
        case .rTree: "RTree"
        }
    }
}
