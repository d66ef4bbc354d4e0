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
        var extras = extras
        var keys = SourceKeys()
        var children: [SourceElement] = []
        // The writer of documents orders children by kind, so that keys of one kind are numbered alike.
        for child in node.children {
            let owner = child.element == "entity" ? Self.identity(child) : entity
            var inside = child.extras
            if !SourceElement(child.element).carriesExtras {
                inside = extras.filter { $0.parents.first == child.id }
                extras.removeAll { $0.parents.first == child.id }
                for index in inside.indices { inside[index].parents.removeFirst() }
            }
            let result = element(child, entity: owner, extras: inside)
            let key = keys.next(result.element.name, result.element.attributes)
            for index in extras.indices
            where extras[index].parents.isEmpty && extras[index].successor == child.id {
                extras[index].successor = key
            }
            children.append(result.element)
            if !result.element.carriesExtras {
                extras += result.extras.map { extra in
                    SourceExtra(parents: [key] + extra.parents, before: extra.successor, extra.content)
                }
            }
        }
        let attributes = node.attributes.referring(
            in: node.element, entity: entity, entityName: entityName, propertyName: propertyName)
        let element = SourceElement(node.element, attributes, extras: [], children: children)
        guard element.carriesExtras else { return (element, extras) }
        return (SourceElement(node.element, attributes, extras: extras, children: children), [])
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
