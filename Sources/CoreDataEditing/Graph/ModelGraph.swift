package import CoreDataModelFormat
import CoreDataValues

/// A model as a graph: entities with rows, and the links between them. Entities are in the order of their
/// names, so that the order in the model does not matter.
package struct ModelGraph: Sendable, Hashable {
    /// The properties that are drawn.
    package enum Detail: Sendable {
        case names
        /// Relationships, and attributes with unique values.
        case keys
        case all
    }

    package struct Row: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case attribute
            case relationship
            case fetchedProperty
        }

        package let kind: Kind
        package let name: String
        /// The type as Swift spells it, for example `String?` or `[Book]`.
        package let type: String
        /// Further words about the property, for example `unique`.
        package let flags: [String]
    }

    package struct Node: Sendable, Hashable {
        package let name: String
        package let parentName: String?
        package let isAbstract: Bool
        package let rows: [Row]
        /// The text for readers without eyes.
        package let summary: String
    }

    /// A relationship, or a pair of inverse ones.
    package struct Link: Sendable, Hashable {
        /// One end of a link.
        package struct End: Sendable, Hashable {
            /// The index of the entity.
            package let node: Int
            /// The index of the row, if it is drawn.
            package let row: Int?
            /// The relationship that leads away from this end; nil if the link has only the other direction.
            package let relationship: RelationshipElement?
        }

        package let from: End
        package let to: End

        /// The relationships in words, with their delete rules.
        package func summary(in graph: ModelGraph) -> String {
            [from, to].compactMap { end in
                end.relationship.map {
                    "\(graph.nodes[end.node].name).\($0.name) \($0.isToMany ? "to many" : "to one") "
                        + "\($0.destinationName), \($0.isOptional ? "optional" : "required"), "
                        + "on delete \($0.deleteRule)"
                }
            }.joined(separator: "\n")
        }
    }

    package let nodes: [Node]
    package let links: [Link]
    /// The index of the parent entity of each entity that has one in the graph.
    package let parents: [Int?]

    /// Makes the graph of a model.
    ///
    /// - Parameter names: The entities to draw; nil for all.
    package init(_ document: ModelDocument, detail: Detail = .all, entities names: Set<String>? = nil) {
        var elements: [String: EntityElement] = [:]
        for entity in document.entities where names?.contains(entity.name) != false {
            elements[entity.name] = elements[entity.name] ?? entity
        }
        let sorted = elements.values.sorted { $0.name < $1.name }
        let indices = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.name, $0) })
        let nodes = sorted.map { Node($0, detail) }
        self.nodes = nodes
        parents = sorted.enumerated().map { index, entity in
            let parent = entity.parentName.flatMap { indices[$0] }
            return parent.flatMap { Self.descends($0, from: index, sorted, indices) ? nil : $0 }
        }
        links = Self.links(sorted, indices, nodes)
    }

    /// Returns whether the entity at `index` is `ancestor` or inherits from it.
    private static func descends(
        _ index: Int, from ancestor: Int, _ entities: [EntityElement], _ indices: [String: Int]
    ) -> Bool {
        var visited: Set<Int> = []
        var current: Int? = index
        while let entity = current, visited.insert(entity).inserted {
            if entity == ancestor { return true }
            current = entities[entity].parentName.flatMap { indices[$0] }
        }
        return false
    }

    /// Returns the links, each pair of inverse relationships as one.
    private static func links(
        _ entities: [EntityElement], _ indices: [String: Int], _ nodes: [Node]
    ) -> [Link] {
        struct Key: Hashable {
            let node: Int
            let name: String
        }
        func end(_ node: Int, _ relationship: RelationshipElement?) -> Link.End {
            let row = relationship.flatMap { relationship in
                nodes[node].rows.firstIndex {
                    $0.kind == .relationship && $0.name == relationship.name
                }
            }
            return Link.End(node: node, row: row, relationship: relationship)
        }
        /// Returns the inverse, which may be a property of an ancestor of the destination.
        func inverse(of relationship: RelationshipElement, _ destination: Int) -> (Int, RelationshipElement)?
        {
            guard let name = relationship.inverseName else { return nil }
            var visited: Set<Int> = []
            var current: Int? = destination
            while let node = current, visited.insert(node).inserted {
                if let found = entities[node].relationships.first(where: { $0.name == name }) {
                    return found.inverseName == relationship.name ? (node, found) : nil
                }
                current = entities[node].parentName.flatMap { indices[$0] }
            }
            return nil
        }
        var links: [Link] = []
        var drawn: Set<Key> = []
        for (node, entity) in entities.enumerated() {
            for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
                guard let destination = indices[relationship.destinationName],
                    drawn.insert(Key(node: node, name: relationship.name)).inserted
                else { continue }
                if let (other, inverse) = inverse(of: relationship, destination),
                    drawn.insert(Key(node: other, name: inverse.name)).inserted
                {
                    links.append(Link(from: end(node, relationship), to: end(other, inverse)))
                } else {
                    links.append(Link(from: end(node, relationship), to: end(destination, nil)))
                }
            }
        }
        return links
    }
}

extension ModelGraph {
    /// Returns the names of the entities that at most `steps` links or levels of inheritance lead to.
    package static func neighbours(of name: String, within steps: Int, in document: ModelDocument) -> Set<
        String
    > {
        let graph = ModelGraph(document, detail: .names)
        var reached: Set<String> = [name]
        for _ in 0..<max(0, steps) {
            let pairs =
                graph.links.map { ($0.from.node, $0.to.node) }
                + graph.parents.enumerated().compactMap { child, parent in parent.map { (child, $0) } }
            let before = reached
            for (one, other) in pairs.map({ (graph.nodes[$0].name, graph.nodes[$1].name) }) {
                if before.contains(one) { reached.insert(other) }
                if before.contains(other) { reached.insert(one) }
            }
            if reached == before { break }
        }
        return reached
    }
}

extension ModelGraph.Node {
    fileprivate init(_ entity: EntityElement, _ detail: ModelGraph.Detail) {
        name = entity.name
        parentName = entity.parentName
        isAbstract = entity.isAbstract
        let unique = Set(entity.uniquenessConstraints.joined())
        let indexed = Set(
            entity.fetchIndexes.flatMap { $0.elements.compactMap(\.propertyName) }
                + entity.compoundIndexes.joined())
        let attributes = entity.attributes.filter { detail == .all || unique.contains($0.name) }.map {
            ModelGraph.Row(
                $0, isUnique: unique.contains($0.name),
                isIndexed: indexed.contains($0.name) && !unique.contains($0.name))
        }
        let relationships = entity.relationships.map {
            ModelGraph.Row($0, isUnique: unique.contains($0.name))
        }
        let fetched = entity.fetchedProperties.map { property in
            ModelGraph.Row(
                kind: .fetchedProperty, name: property.name,
                type: property.fetchRequest.map { "[\($0.entityName)]" } ?? "", flags: ["fetched"])
        }
        rows =
            switch detail {
            case .names: []
            case .keys: attributes + relationships
            case .all: attributes + relationships + fetched
            }
        let count = entity.attributes.count
        summary =
            ["\(entity.name), \(count) attribute\(count == 1 ? "" : "s")"]
            .appending(entity.parentName.map { "a kind of \($0)" })
            .appending(contentsOf: entity.relationships.map { "\($0.name) to \($0.destinationName)" })
            .joined(separator: ", ")
    }
}

extension [String] {
    fileprivate func appending(_ element: String?) -> [String] { element.map { self + [$0] } ?? self }
    fileprivate func appending(contentsOf elements: [String]) -> [String] { self + elements }
}

extension ModelGraph.Row {
    fileprivate init(_ attribute: AttributeElement, isUnique: Bool, isIndexed: Bool) {
        kind = .attribute
        name = attribute.name
        type = attribute.swiftType + (attribute.isOptional ? "?" : "")
        flags =
            (isUnique ? ["unique"] : []) + (isIndexed || attribute.isIndexed ? ["index"] : [])
            + (attribute.derivationExpression == nil ? [] : ["derived"])
            + (attribute.isTransient ? ["transient"] : [])
    }

    fileprivate init(_ relationship: RelationshipElement, isUnique: Bool) {
        kind = .relationship
        name = relationship.name
        let destination = relationship.destinationName
        type =
            relationship.isToMany
            ? "[\(destination)]" : destination + (relationship.isOptional ? "?" : "")
        flags =
            (isUnique ? ["unique"] : []) + (relationship.isOrdered ? ["ordered"] : [])
            + (relationship.isTransient ? ["transient"] : [])
    }
}

extension AttributeElement {
    /// The type as Swift spells it.
    fileprivate var swiftType: String {
        switch type {
        case .undefined: "Any"
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Bool"
        case .date: "Date"
        case .binary: "Data"
        case .uuid: "UUID"
        case .uri: "URL"
        case .transformable: customClassName ?? "Transformable"
        case .objectID: "ObjectID"
        case .composite: compositeName ?? "Composite"
        }
    }
}
