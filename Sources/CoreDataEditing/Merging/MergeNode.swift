import CoreDataModelFormat
import CoreDataModelSource

/// An element of one of the sources that are merged, named and referred to as in the base, so that what is
/// the same in two sources is equal although one of them has renamed it.
struct MergeNode: Hashable {
    var element: String
    /// The identity among its siblings: of those that are in the base, the key there.
    var id: String
    /// How messages name the element within the element with a path that is around it; nil for one with a
    /// path of its own.
    var label: String?
    var attributes: [String: String]
    var extras: [SourceExtra]
    var children: [MergeNode]

    func child(_ id: String) -> MergeNode? { children.first { $0.id == id } }
}

/// The identities of the entities and properties of a source: their names in the base, or their own names if
/// the base does not have them.
struct MergeIdentities {
    /// The identity of each entity, by its name.
    private var entities: [String: String] = [:]
    /// The identity of each property, by its name, by the identity of its entity.
    private var properties: [String: [String: String]] = [:]
    /// The identity of the parent of each entity.
    private var parents: [String: String] = [:]

    init(_ source: SourceElement, base: SourceElement) {
        entities = Self.matched(source.children(named: ["entity"]), base.children(named: ["entity"]))
        entities.merge(alike(in: source, base)) { $1 }
        let former = Dictionary(base.children(named: ["entity"]).map { ($0.ownName, $0) }) { old, _ in old }
        for entity in source.children(named: ["entity"]) {
            let identity = self.entity(entity.ownName)
            guard properties[identity] == nil else { continue }
            var known: [String: String] = [:]
            for kind in Self.propertyKinds {
                let own = Self.matched(
                    entity.children(named: [kind]), former[identity]?.children(named: [kind]) ?? [])
                known.merge(own) { old, _ in old }
            }
            properties[identity] = known
            parents[identity] = entity.attributes["parentEntity"].map { self.entity($0) }
        }
    }

    /// Returns the identities of entities that were renamed without a note of it, as in a model with one version:
    /// of several properties of a missing entity, the new one has more than half.
    private func alike(in source: SourceElement, _ base: SourceElement) -> [String: String] {
        let known = Set(entities.values)
        var missing = base.children(named: ["entity"]).filter { !known.contains($0.ownName) }
        let former = Set(base.children(named: ["entity"]).map(\.ownName))
        var result: [String: String] = [:]
        for entity in source.children(named: ["entity"])
        where entities[entity.ownName] == entity.ownName && !former.contains(entity.ownName) {
            let properties = Set(entity.comparableProperties)
            let counts = missing.map { $0.comparableProperties.count(where: properties.contains) }
            guard let most = counts.max(), most > 1, let index = counts.firstIndex(of: most),
                counts.lastIndex(of: most) == index,
                2 * most > missing[index].comparableProperties.count
            else { continue }
            result[entity.ownName] = missing.remove(at: index).ownName
        }
        return result
    }

    static let propertyKinds = ["attribute", "relationship", "fetchedProperty"]

    func entity(_ name: String) -> String { entities[name] ?? name }

    /// Returns the identity of a property, also of an inherited one.
    func property(_ name: String, of entity: String) -> String {
        var visited: Set<String> = []
        var level: String? = entity
        while let current = level, visited.insert(current).inserted {
            if let identity = properties[current]?[name] { return identity }
            level = parents[current]
        }
        return name
    }

    /// Returns the identities of elements of one kind by name. An element that was renamed says what it was.
    private static func matched(_ elements: [SourceElement], _ base: [SourceElement]) -> [String: String] {
        let former = Set(base.map(\.ownName))
        var free = former.subtracting(elements.map(\.ownName))
        let renamed = Dictionary(
            base.map { ($0.attributes["elementID"] ?? $0.ownName, $0.ownName) }
        ) { old, _ in old }
        var result: [String: String] = [:]
        for element in elements where result[element.ownName] == nil {
            result[element.ownName] = element.ownName
            guard !former.contains(element.ownName), let origin = element.attributes["elementID"] else {
                continue
            }
            for name in [origin, renamed[origin]].compactMap({ $0 }) where free.remove(name) != nil {
                result[element.ownName] = name
                break
            }
        }
        return result
    }
}

extension SourceElement {
    var ownName: String { attributes["name"] ?? "" }

    func children(named names: [String]) -> [SourceElement] { children.filter { names.contains($0.name) } }

    /// The properties of an entity without what is in them, and without the entities to which they lead, which may
    /// be renamed, too.
    fileprivate var comparableProperties: [SourceElement] {
        children(named: MergeIdentities.propertyKinds).map { property in
            var attributes = property.attributes
            for key in ["destinationEntity", "inverseEntity"] { attributes[key] = nil }
            return SourceElement(property.name, attributes)
        }
    }
}

/// Makes nodes of a source, with the names of the base.
struct MergeNodeReader {
    let identities: MergeIdentities

    func node(_ model: SourceElement) -> MergeNode {
        node(model, id: "model", entity: "", extras: model.extras).node
    }

    /// Returns the node of an element, and its extras if another element carries them.
    ///
    /// - Parameters:
    ///   - entity: The identity of the entity around it.
    ///   - extras: The extras in it.
    private func node(
        _ element: SourceElement, id: String, entity: String, extras: [SourceExtra]
    ) -> (node: MergeNode, extras: [SourceExtra]) {
        let keys = element.childKeys
        var placed = PlacedExtras(extras, among: keys)
        var result: [SourceExtra] = []
        var counts: [String: Int] = [:]
        var children: [MergeNode] = []
        for (child, key) in zip(element.children, keys) {
            let owner = child.name == "entity" ? identities.entity(child.ownName) : entity
            var identity = self.identity(child, in: element, entity: owner)
            counts[identity, default: 0] += 1
            if let count = counts[identity], count > 1 { identity += "#\(count)" }
            result += placed.take(before: key).map {
                SourceExtra(after: children.last?.id, before: identity, $0.content)
            }
            let inside = child.carriesExtras ? child.extras : placed.take(inside: key)
            let (node, carried) = node(child, id: identity, entity: owner, extras: inside)
            children.append(node)
            result += carried.map { $0.inside(identity) }
        }
        result += placed.rest
        let node = MergeNode(
            element: element.name, id: id, label: label(element),
            attributes: attributes(element, entity: entity),
            extras: element.carriesExtras ? result : [], children: children)
        return (node, element.carriesExtras ? [] : result)
    }

    private func identity(_ element: SourceElement, in parent: SourceElement, entity: String) -> String {
        switch element.name {
        case "entity": return SourceKeys.key("entity", entity)
        case "attribute" where parent.name == "composite":
            return SourceKeys.key("attribute", element.ownName)
        case "attribute", "relationship", "fetchedProperty":
            return SourceKeys.key(element.name, identities.property(element.ownName, of: entity))
        case "memberEntity", "element":
            return SourceKeys.key(element.name, identities.entity(element.ownName))
        case "uniquenessConstraint", "compoundIndex":
            let names = element.children.map { identities.property($0.attributes["value"] ?? "", of: entity) }
            return SourceKeys.key(element.name, names.joined(separator: "+"))
        case "fetchRequest" where parent.name == "fetchedProperty": return element.name
        default:
            var keys = SourceKeys()
            return keys.next(element.name, attributes(element, entity: entity))
        }
    }

    private func label(_ element: SourceElement) -> String? {
        let names = element.children.compactMap { $0.attributes["value"] }.joined(separator: "+")
        return switch element.name {
        case "entry": "user info \(element.attributes["key"] ?? "")"
        case "memberEntity": "member \(element.ownName)"
        case "uniquenessConstraint": "constraint \(names)"
        case "compoundIndex": "compound index \(names)"
        case "element": "place of \(element.ownName)"
        case "fetchIndexElement": "element"
        default: nil
        }
    }

    /// Returns the attributes of an element with references to what the base calls it.
    private func attributes(_ element: SourceElement, entity: String) -> [String: String] {
        element.attributes.referring(
            in: element.name, entity: entity, entityName: identities.entity, propertyName: identities.property
        )
    }
}

extension [String: String] {
    /// Returns the attributes of an element with other names in the place of those that it refers to.
    ///
    /// - Parameter entity: The identity of the entity around the element.
    func referring(
        in element: String, entity: String, entityName: (String) -> String,
        propertyName: (_ name: String, _ entity: String) -> String
    ) -> [String: String] {
        var result = self
        let (entities, property): ([String], (key: String, entity: String)?) =
            switch element {
            case "entity": (["parentEntity"], nil)
            case "relationship":
                (
                    ["destinationEntity", "inverseEntity"],
                    ("inverseName", entityName(self["inverseEntity"] ?? self["destinationEntity"] ?? ""))
                )
            case "fetchRequest": (["entity"], nil)
            case "memberEntity", "element": (["name"], nil)
            case "fetchIndexElement": ([], ("property", entity))
            case "constraint", "index": ([], ("value", entity))
            default: ([], nil)
            }
        for key in entities { result[key] = self[key].map(entityName) }
        if let (key, entity) = property { result[key] = self[key].map { propertyName($0, entity) } }
        return result
    }
}
