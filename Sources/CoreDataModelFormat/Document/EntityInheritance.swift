/// The entities of a model by name, for following the inheritance from child to parent.
package struct EntityInheritance: Sendable {
    private let entities: [String: EntityElement]

    package init(_ document: ModelDocument) {
        entities = Dictionary(document.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    package func entity(named name: String) -> EntityElement? { entities[name] }

    /// Returns the entity and its ancestors, the entity first. If the inheritance has a cycle, the list ends
    /// before the first repeated entity.
    package func lineage(of entity: EntityElement) -> [EntityElement] {
        var lineage: [EntityElement] = []
        var visited: Set<String> = []
        var level: EntityElement? = entity
        while let current = level, visited.insert(current.name).inserted {
            lineage.append(current)
            level = current.parentName.flatMap { entities[$0] }
        }
        return lineage
    }
}

extension ModelDocument {
    /// The names of the entities that inherit from themselves.
    package var ownAncestors: [String] {
        let inheritance = EntityInheritance(self)
        return entities.filter { inheritance.lineage(of: $0).last?.parentName == $0.name }.map(\.name)
    }
}
