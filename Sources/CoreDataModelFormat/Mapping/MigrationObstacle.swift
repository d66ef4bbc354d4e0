import CoreDataValues

/// A reason why a mapping between two versions of a model cannot be inferred.
package struct MigrationObstacle: Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity in the destination.
    package let entity: String
    package let property: String?
    package let reason: String

    package init(entity: String, property: String? = nil, reason: String) {
        self.entity = entity
        self.property = property
        self.reason = reason
    }

    package var description: String {
        "\(entity)\(property.map { ".\($0)" } ?? ""): \(reason)"
    }
}

extension ModelEvolution {
    /// The reasons why some objects or values cannot be carried over, entity by entity and property by
    /// property.
    package var obstacles: [MigrationObstacle] {
        var result = ambiguousNames
        for entity in destination.entities {
            guard let origin = self[entity.index] else { continue }
            for slot in entity.slots where !slot.isTransient && isReported(slot, of: entity) {
                guard let former = origin.slots[slot.index].map({ source.slot($0, of: origin.entity) }),
                    let reason = incompatibility(of: slot, with: former)
                else { continue }
                result.append(MigrationObstacle(entity: entity.name, property: slot.name, reason: reason))
            }
        }
        return result
    }

    /// Returns whether a property is reported for an entity. An inherited property is reported once, for the
    /// entity that declares it, unless that entity is new.
    private func isReported(_ slot: PropertySlot, of entity: CompiledEntity) -> Bool {
        slot.declaringEntity == entity.index || self[slot.declaringEntity] == nil
    }

    private func incompatibility(of slot: PropertySlot, with former: PropertySlot) -> String? {
        switch (slot.kind, former.kind) {
        case (.attribute(let new), .attribute(let old)): incompatibility(of: new, with: old)
        case (.relationship(let new), .relationship(let old)): incompatibility(of: new, with: old)
        default: nil
        }
    }

    // MARK: Attributes

    private func incompatibility(of new: AttributeSlot, with old: AttributeSlot) -> String? {
        // A derived value is computed again, whatever was stored.
        if new.derivation != nil { return nil }
        guard new.type.takes(old.type) else {
            return "Source and destination attribute types are incompatible "
                + "(\(old.type.editorName ?? "Undefined") and \(new.type.editorName ?? "Undefined"))"
        }
        let origins = new.elementOrigins(in: old)
        for element in new.elements {
            guard let former = origins[element.name],
                let reason = incompatibility(of: element.attribute, with: former.attribute)
            else { continue }
            return "element \(element.name): \(reason)"
        }
        return nil
    }

    // MARK: Relationships

    private func incompatibility(of new: RelationshipSlot, with old: RelationshipSlot) -> String? {
        if old.isToMany, !new.isToMany { return "A to-many relationship cannot become a to-one relationship" }
        let members = source[old.destination].family.filter { !source[$0].isAbstract }
        let family = destination[new.destination].family
        let successors = members.compactMap(successor)
        if let stranger = successors.first(where: { !family.contains($0) }) {
            return "Source and destination entities of the relationship differ: it led to "
                + "\(source[old.destination].name), whose objects become \(destination[stranger].name), and leads to "
                + described(new.destination)
        }
        if successors.isEmpty {
            return "Source and destination entities of the relationship differ: it led to "
                + "\(source[old.destination].name), which is gone, and leads to \(described(new.destination))"
        }
        return nil
    }

    /// Returns the name of an entity, with its former name if that was different.
    private func described(_ entity: EntityIndex) -> String {
        let name = destination[entity].name
        guard let origin = self[entity] else {
            return source.entity(named: name) == nil ? name : "another \(name), which is new"
        }
        let former = source[origin.entity].name
        return former == name ? name : "\(name), which was \(former)"
    }

    // MARK: Names

    /// The obstacles of elements whose renaming identifiers claim the same origin.
    private var ambiguousNames: [MigrationObstacle] {
        func ambiguous(_ names: [VersionedName]) -> [VersionedName] {
            let identifiers = Dictionary(grouping: names, by: \.identifier)
            return names.filter { $0.renamingIdentifier != nil && identifiers[$0.identifier]!.count > 1 }
        }
        func reason(_ name: VersionedName) -> String {
            "Duplicate renaming identifier \"\(name.identifier)\""
        }
        var result = ambiguous(destination.entities.map(\.element.versionedName)).map {
            MigrationObstacle(entity: $0.name, reason: reason($0))
        }
        for entity in destination.entities.map(\.element) {
            for names in [entity.attributes.map(\.versionedName), entity.relationships.map(\.versionedName)] {
                result += ambiguous(names).map {
                    MigrationObstacle(entity: entity.name, property: $0.name, reason: reason($0))
                }
            }
        }
        return result
    }
}

extension AttributeType {
    /// Returns whether values of another type convert to this one without an expression, as all numbers do.
    fileprivate func takes(_ other: AttributeType) -> Bool {
        self == other || isNumber && other.isNumber
    }

    private var isNumber: Bool { isNumeric || self == .boolean }
}
