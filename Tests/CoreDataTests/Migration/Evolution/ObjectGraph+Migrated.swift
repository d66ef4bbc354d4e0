import CoreData
import Foundation

/// The expected graph after a lightweight migration, derived from names and renaming identifiers alone.
struct ExpectedGraph {
    let graph: ObjectGraph
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    /// The entities that the store is to have.
    let entities: [NSEntityDescription]
    /// Whether derived times stay, as they do if nothing is saved.
    let keepsMoments: Bool

    func migrated() -> ObjectGraph {
        var result = ObjectGraph()
        var successors: [String: NSEntityDescription] = [:]
        for entity in entities { successors[entity.renamingIdentifier ?? entity.name!] = entity }
        for (name, node) in graph.nodes {
            guard let entity = successors[node.entity] else { continue }
            let former = source.entitiesByName[node.entity]!
            var values: [String: ObjectGraph.Value] = [:]
            for (key, attribute) in entity.attributesByName {
                let formerKey = attribute.renamingIdentifier ?? key
                values[key] = value(
                    of: attribute, from: node.values[formerKey], formerly: former.attributesByName[formerKey])
            }
            result.nodes[name] = ObjectGraph.Node(entity: entity.name!, values: values)
        }
        for name in result.nodes.keys {
            let entity = destination.entitiesByName[result.nodes[name]!.entity]!
            for (key, relationship) in entity.relationshipsByName {
                let former = graph.nodes[name]!.values[relationship.renamingIdentifier ?? key]
                result.nodes[name]!.values[key] = result.members(relationship, former)
            }
        }
        for name in result.nodes.keys { followInverses(of: name, in: &result) }
        return result.derived(by: destination)
    }

    /// A new relationship has the value of its inverse.
    private func followInverses(of name: String, in result: inout ObjectGraph) {
        let entity = destination.entitiesByName[result.nodes[name]!.entity]!
        let values = graph.nodes[name]!.values
        for (key, relationship) in entity.relationshipsByName {
            guard values[relationship.renamingIdentifier ?? key] == nil,
                let inverse = relationship.inverseRelationship?.name
            else { continue }
            let owners = result.nodes.filter { $0.value.values[inverse]?.contains(name) ?? false }.keys
            result.nodes[name]!.values[key] = .members(Set(owners))
        }
    }

    private func value(
        of attribute: NSAttributeDescription, from value: ObjectGraph.Value?,
        formerly former: NSAttributeDescription?
    ) -> ObjectGraph.Value {
        if let composite = attribute as? NSCompositeAttributeDescription {
            let former = former as? NSCompositeAttributeDescription
            guard let former, case .attribute(let value)? = value else {
                return .attribute(composite.defaults)
            }
            return .attribute(composite.migrated(value as? NSDictionary, from: former))
        }
        if let derived = attribute as? NSDerivedAttributeDescription {
            // The time stays the same.
            let former = (former as? NSDerivedAttributeDescription)?.derivationExpression
            let isSame = former.map { $0.description == derived.derivationExpression!.description } ?? false
            return isSame && keepsMoments ? value ?? .moment : .moment
        }
        guard case .attribute(let value)? = value else {
            return .attribute(attribute.defaultValue as? NSObject)
        }
        if value == nil, !attribute.isOptional { return .attribute(attribute.defaultValue as? NSObject) }
        return .attribute(value)
    }
}

extension ObjectGraph {
    /// Returns the graph with all derived attributes computed.
    func derived(by model: NSManagedObjectModel) -> ObjectGraph {
        var result = self
        for (name, node) in nodes {
            let attributes = model.entitiesByName[node.entity]!.attributesByName
            for case let (key, attribute as NSDerivedAttributeDescription) in attributes {
                let value = derived(Derivation("\(attribute.derivationExpression!)"), of: name)
                if let value { result.nodes[name]!.values[key] = value }
            }
        }
        return result
    }

    fileprivate func members(_ relationship: NSRelationshipDescription, _ former: Value?) -> Value {
        func remaining(_ names: some Sequence<String>) -> [String] { names.filter { nodes[$0] != nil } }
        return switch former {
        case .ordered(let names):
            relationship.isOrdered ? .ordered(remaining(names)) : .members(Set(remaining(names)))
        case .members(let names): .members(Set(remaining(names)))
        case .attribute, .moment, nil: relationship.isOrdered ? .ordered([]) : .members([])
        }
    }

    /// Returns the derived value of an object; nil for the time of saving.
    fileprivate func derived(_ derivation: Derivation, of name: String) -> Value? {
        let values = nodes[name]!.values
        func members() -> [Node] {
            switch values[derivation.relationship!] {
            case .members(let names)?: names.map { nodes[$0]! }
            case .ordered(let names)?: names.map { nodes[$0]! }
            default: []
            }
        }
        func number(_ value: Value?) -> Double {
            if case .attribute(let number as NSNumber)? = value { number.doubleValue } else { 0 }
        }
        switch derivation.form {
        case .now: return nil
        case .count: return .attribute(members().count as NSNumber)
        case .sum:
            return .attribute(
                members().map { number($0.values[derivation.attribute!]) }.reduce(0, +) as NSNumber)
        case .copy:
            let owner = derivation.relationship == nil ? nodes[name] : members().first
            return owner?.values[derivation.attribute!] ?? .attribute(nil)
        case .uppercase, .lowercase, .canonical:
            guard case .attribute(let text as NSString)? = values[derivation.attribute!] else {
                return .attribute(nil)
            }
            let isUpper = derivation.form == .uppercase
            return .attribute((isUpper ? text.uppercased : text.lowercased) as NSString)
        }
    }
}

extension NSCompositeAttributeDescription {
    /// The element values of a new object; nil if no element has a default.
    fileprivate final var defaults: NSDictionary? {
        var result: [String: Any] = [:]
        for element in elements {
            let composite = element as? NSCompositeAttributeDescription
            result[element.name] = composite.map { $0.defaults as Any? } ?? element.defaultValue
        }
        return result.isEmpty ? nil : result as NSDictionary
    }

    /// New or mandatory elements get their defaults, unless the composite is nil.
    fileprivate final func migrated(
        _ value: NSDictionary?, from former: NSCompositeAttributeDescription
    ) -> NSDictionary? {
        var result: [String: Any] = [:]
        let origins = elements.map { element in
            former.elements.first { $0.name == element.renamingIdentifier ?? element.name }
        }
        var remaining = value.map { $0 as! [String: Any] } ?? [:]
        remaining = remaining.filter { name, value in
            origins.contains { $0?.name == name && !former.isLost(value, in: $0!, of: self) }
        }
        if remaining.isEmpty, isOptional { return nil }
        for (element, origin) in zip(elements, origins) {
            guard let origin else {
                let composite = element as? NSCompositeAttributeDescription
                result[element.name] = composite.map { $0.defaults as Any? } ?? element.defaultValue
                continue
            }
            if let composite = element as? NSCompositeAttributeDescription {
                result[element.name] = composite.migrated(
                    remaining[origin.name] as? NSDictionary, from: origin as! NSCompositeAttributeDescription)
            } else {
                result[element.name] =
                    remaining[origin.name] ?? (element.isOptional ? nil : element.defaultValue)
            }
        }
        return result.isEmpty ? nil : result as NSDictionary
    }

    /// Whether no part of a nested composite's value is kept.
    private final func isLost(
        _ value: Any, in origin: NSAttributeDescription, of successor: NSCompositeAttributeDescription
    ) -> Bool {
        guard let origin = origin as? NSCompositeAttributeDescription, let values = value as? [String: Any],
            let element = successor.elements.first(where: {
                $0.renamingIdentifier ?? $0.name == origin.name
            }) as? NSCompositeAttributeDescription
        else { return false }
        return values.allSatisfy { name, value in
            guard
                let former = origin.elements.first(where: { $0.name == name }),
                element.elements.contains(where: { $0.renamingIdentifier ?? $0.name == name })
            else { return true }
            return origin.isLost(value, in: former, of: element)
        }
    }
}
