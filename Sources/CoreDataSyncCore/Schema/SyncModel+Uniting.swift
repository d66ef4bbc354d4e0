import CoreDataValues

extension SyncModel {
    /// Returns the model that serves both versions: this one with the entities and properties that another
    /// one has besides. Of rules that differ the looser counts, or where neither is looser that of this
    /// model.
    ///
    /// An entity may have got a parent, and have passed properties on to it. Those of a many-to-many relationship
    /// have to stay, since its pairs are kept under the name of its entity.
    ///
    /// - Throws: `SyncModelError` where both give one name to different things, or one requires what the
    ///   other does not have.
    package func united(with other: SyncModel) throws(SyncModelError) -> SyncModel {
        var result: [Entity] = []
        let others = Dictionary(other.entities.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for entity in entities {
            guard let other = others[entity.name] else {
                result.append(entity)
                continue
            }
            result.append(try entity.united(with: other))
        }
        let known = Set(entities.map(\.name))
        result += other.entities.filter { !known.contains($0.name) }
        return SyncModel(entities: try Self.passingOn(result))
    }

    /// Returns the entities without the properties that an ancestor has, too.
    private static func passingOn(_ entities: [Entity]) throws(SyncModelError) -> [Entity] {
        var result = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        for entity in entities {
            var ancestor = entity.parent.flatMap { result[$0] }
            // Parents in a circle are an error of the compiler's.
            for _ in entities where ancestor != nil {
                guard var parent = ancestor else { break }
                try result[entity.name]?.passProperties(to: &parent)
                result[parent.name] = parent
                ancestor = parent.parent.flatMap { result[$0] }
            }
        }
        return entities.compactMap { result[$0.name] }
    }
}

extension SyncModel.Entity {
    fileprivate func united(with other: Self) throws(SyncModelError) -> Self {
        guard parent == other.parent || parent == nil || other.parent == nil else {
            throw SyncModelError(name, nil, "it has another parent")
        }
        var result = self
        result.parent = parent ?? other.parent
        let others = Dictionary(other.properties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        result.properties = []
        for property in properties {
            guard let other = others[property.name] else {
                result.properties.append(property)
                continue
            }
            result.properties.append(try property.united(with: other, in: name))
        }
        let known = Set(properties.map(\.name))
        result.properties += other.properties.filter { !known.contains($0.name) }
        return result
    }

    /// Leaves those properties to an ancestor that it has, too.
    fileprivate mutating func passProperties(to ancestor: inout Self) throws(SyncModelError) {
        let places = Dictionary(
            ancestor.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let own = properties
        properties = []
        for property in own {
            guard let place = places[property.name] else {
                properties.append(property)
                continue
            }
            if case .relationship(let relationship) = property.kind, relationship.isToMany {
                throw SyncModelError(name, property.name, "a to-many relationship belongs to another entity")
            }
            ancestor.properties[place] = try ancestor.properties[place].united(
                with: property, in: ancestor.name)
        }
    }
}

extension SyncModel.Property {
    fileprivate func united(with other: Self, in entity: String) throws(SyncModelError) -> Self {
        var result = self
        result.isOptional = isOptional || other.isOptional
        switch (kind, other.kind) {
        case (.attribute(let type, let standard), .attribute(let otherType, _)):
            guard let wider = Self.wider(type, otherType) else {
                throw SyncModelError(entity, name, "it has another type")
            }
            result.kind = .attribute(wider, default: standard)
        case (.relationship(let own), .relationship(let other)):
            guard own.target == other.target, own.inverse == other.inverse, own.isToMany == other.isToMany,
                own.isOrdered == other.isOrdered
            else { throw SyncModelError(entity, name, "it leads elsewhere") }
            var relationship = own
            relationship.minimum = min(own.minimum, other.minimum)
            // Zero is no limit.
            relationship.maximum =
                own.maximum == 0 || other.maximum == 0 ? 0 : max(own.maximum, other.maximum)
            result.kind = .relationship(relationship)
        default: throw SyncModelError(entity, name, "it is an attribute in one model and not in the other")
        }
        return result
    }

    /// Returns the type that has the values of both; nil if there is none.
    private static func wider(_ first: AttributeType, _ second: AttributeType) -> AttributeType? {
        if first == second { return first }
        for line: [AttributeType] in [[.integer16, .integer32, .integer64], [.float, .double]] {
            if let a = line.firstIndex(of: first), let b = line.firstIndex(of: second) {
                return line[max(a, b)]
            }
        }
        return nil
    }
}
