import CoreDataModelFormat
import CoreDataModelSource

/// Makes a source of merged nodes, with the names that entities and properties have now.
struct MergeNodeWriter {
    private var entities: [String: MergeNode] = [:]

    init(_ model: MergeNode) {
        for entity in model.children where entity.element == "entity" {
            entities[Self.identity(entity)] = entities[Self.identity(entity)] ?? entity
        }
    }

    func element(_ model: MergeNode) -> SourceElement {
        element(model, entity: "", extras: model.extras).element
    }

    private func element(
        _ node: MergeNode, entity: String, extras: [SourceExtra]
    ) -> (element: SourceElement, extras: [SourceExtra]) {
        var placed = PlacedExtras(extras, among: node.children.map(\.id))
        var result: [SourceExtra] = []
        var keys = SourceKeys()
        var children: [SourceElement] = []
        for child in node.children {
            let owner = child.element == "entity" ? Self.identity(child) : entity
            let carries = SourceElement(child.element).carriesExtras
            let (element, carried) = element(
                child, entity: owner, extras: carries ? child.extras : placed.take(inside: child.id))
            let key = keys.next(element.name, element.attributes)
            result += placed.take(before: child.id).map { SourceExtra(before: key, $0.content) }
            result += carried.map { $0.inside(key) }
            children.append(element)
        }
        result += placed.rest
        let attributes = node.attributes.referring(
            in: node.element, entity: entity, entityName: entityName, propertyName: propertyName)
        var element = SourceElement(node.element, attributes, children: children)
        guard element.carriesExtras else { return (element, result) }
        element.extras = result
        return (element, [])
    }

    /// Returns what an element with a name of its own is called in references.
    private static func identity(_ node: MergeNode) -> String {
        String(node.id.dropFirst(node.element.count + 1))
    }

    private func entityName(_ identity: String) -> String {
        entities[identity]?.attributes["name"] ?? identity
    }

    private func propertyName(_ identity: String, of entity: String) -> String {
        var visited: Set<String> = []
        var level: String? = entity
        while let current = level, visited.insert(current).inserted {
            for kind in MergeIdentities.propertyKinds {
                let property = entities[current]?.child(SourceKeys.key(kind, identity))
                if let name = property?.attributes["name"] { return name }
            }
            level = entities[current]?.attributes["parentEntity"]
        }
        return identity
    }
}
