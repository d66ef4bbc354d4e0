import CoreDataValues

extension SyncModel {
    /// The greatest sum over all entities of what each has and inherits: properties, constraints and notes. That is how
    /// much there is to compile, which may be the square of what was received.
    package static let largestSize = 50_000

    /// Compiles the model.
    ///
    /// - Throws: `SyncModelError` for what cannot be synced, a rule that makes no sense, and a model that is too large.
    package func compiled() throws(SyncModelError) -> SyncSchema {
        var byName: [String: Entity] = [:]
        for entity in entities {
            guard byName.updateValue(entity, forKey: entity.name) == nil else {
                throw SyncModelError(entity.name, nil, "the name is there twice")
            }
        }
        let compiler = SchemaCompiler(entities: byName)
        try compiler.checkSize(in: entities)
        var compiled: [String: SyncEntity] = [:]
        var pairs: [String: PairRule] = [:]
        for entity in entities {
            compiled[entity.name] = try compiler.entity(entity)
            for property in entity.properties {
                guard let (name, rule) = try compiler.pair(entity.name, property) else { continue }
                pairs[name] = rule
            }
        }
        return SyncSchema(model: self, entities: compiled, pairs: pairs)
    }
}

/// The compiler of a model, which looks things up in all of its entities.
struct SchemaCompiler {
    let entities: [String: SyncModel.Entity]

    /// Returns the name of the register with the place of a member among those of its owner.
    static func position(_ reference: String) -> String { reference + "#" }

    /// Checks that the entities do not have and inherit more than is allowed.
    func checkSize(in entities: [SyncModel.Entity]) throws(SyncModelError) {
        var rest = SyncModel.largestSize
        for entity in entities {
            var ancestor: SyncModel.Entity? = entity
            // Parents in a circle are found by `lineage`.
            for _ in 0...self.entities.count {
                guard let part = ancestor else { break }
                rest -= 1 + part.properties.count + part.unique.flatMap(\.self).count + part.userInfo.count
                guard rest >= 0 else {
                    throw SyncModelError(
                        entity.name, nil,
                        "the model is too large: its entities have and inherit more than \(SyncModel.largestSize) parts"
                    )
                }
                ancestor = part.parent.flatMap { self.entities[$0] }
            }
        }
    }

    func entity(_ entity: SyncModel.Entity) throws(SyncModelError) -> SyncEntity {
        let line = try lineage(entity)
        var properties: [String: (owner: String, property: SyncModel.Property)] = [:]
        for ancestor in line {
            for property in ancestor.properties {
                guard properties.updateValue((ancestor.name, property), forKey: property.name) == nil else {
                    throw SyncModelError(entity.name, property.name, "the name is there twice")
                }
            }
        }
        var registers: [String: RegisterRule] = [:]
        var collections: [String: CollectionRule] = [:]
        for (name, (owner, property)) in properties {
            switch property.kind {
            case .attribute: try add(property, of: entity.name, to: &registers)
            case .relationship(let relationship):
                if let (rule, isOrdered) = try reference(owner, property, relationship) {
                    registers[name] = .reference(rule)
                    if isOrdered { registers[Self.position(name)] = .position(reference: name) }
                } else if let rule = try collection(owner, property, relationship) {
                    collections[name] = rule
                }
            }
        }
        let info = line.reversed().reduce(into: [String: String]()) { result, ancestor in
            result.merge(ancestor.userInfo) { $1 }
        }
        let unique = line.flatMap { ancestor in
            ancestor.unique.map { UniqueRule(entity: ancestor.name, attributes: $0) }
        }
        let identity = (info["SyncIdentity"] ?? "").split(separator: ",").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        for name in unique.flatMap(\.attributes) + identity {
            guard case .attribute = registers[name] else {
                throw SyncModelError(entity.name, name, "only an attribute can be unique or an identity")
            }
        }
        return SyncEntity(
            name: entity.name, ancestors: Set(line.map(\.name)), registers: registers,
            collections: collections, unique: unique, identity: identity,
            editsWin: try editsWin(entity.name, info["SyncDelete"]))
    }

    private func editsWin(_ entity: String, _ text: String?) throws(SyncModelError) -> Bool {
        switch text {
        case nil, "deleteWins": return false
        case "editsWin": return true
        case let other?: throw SyncModelError(entity, nil, "SyncDelete cannot be \(other)")
        }
    }

    /// Returns an entity and its ancestors.
    private func lineage(_ entity: SyncModel.Entity) throws(SyncModelError) -> [SyncModel.Entity] {
        var line = [entity]
        while let name = line[line.count - 1].parent {
            guard let parent = entities[name] else {
                throw SyncModelError(entity.name, nil, "there is no entity \(name)")
            }
            guard line.count <= entities.count else {
                throw SyncModelError(entity.name, nil, "it inherits from itself")
            }
            line.append(parent)
        }
        return line
    }

    // MARK: Attributes

    private func add(
        _ property: SyncModel.Property, of entity: String, to registers: inout [String: RegisterRule]
    ) throws(SyncModelError) {
        let rule = try attribute(entity, property)
        guard let group = property.userInfo["SyncGroup"] else {
            registers[property.name] = .attribute(rule)
            return
        }
        guard rule.merge == .latest else {
            throw SyncModelError(entity, property.name, "an attribute of a group has no rule of its own")
        }
        var attributes = [property.name: rule]
        if let present = registers[group] {
            guard case .group(let others) = present else {
                throw SyncModelError(entity, property.name, "the group is called like a property")
            }
            attributes.merge(others) { $1 }
        }
        registers[group] = .group(attributes)
    }

    private func attribute(
        _ entity: String, _ property: SyncModel.Property
    ) throws(SyncModelError) -> AttributeRule {
        guard case .attribute(let type, let standard) = property.kind else {
            throw SyncModelError(entity, property.name, "it is no attribute")
        }
        let text = property.userInfo["SyncMerge"] ?? MergeRule.latest.rawValue
        guard let merge = MergeRule(rawValue: text) else {
            throw SyncModelError(entity, property.name, "SyncMerge cannot be \(text)")
        }
        if merge == .counter, ![.integer16, .integer32, .integer64, .decimal].contains(type) {
            throw SyncModelError(entity, property.name, "only integers and decimals can be counters")
        }
        let rule = AttributeRule(
            type: type, isOptional: property.isOptional, standard: standard, merge: merge)
        guard standard.isNull || rule.accepts(standard) else {
            throw SyncModelError(entity, property.name, "the default has another type")
        }
        return rule
    }

    // MARK: Relationships

    /// Returns the relationship at the other end, with a name that tells it from all others: that of the
    /// entity which declares it, and its own.
    private func inverse(
        _ entity: String, _ property: String, _ relationship: SyncModel.Relationship
    ) throws(SyncModelError) -> (
        name: String, property: SyncModel.Property, relationship: SyncModel.Relationship
    )? {
        guard let target = entities[relationship.target] else {
            throw SyncModelError(entity, property, "there is no entity \(relationship.target)")
        }
        guard let name = relationship.inverse else { return nil }
        for ancestor in try lineage(target) {
            guard let found = ancestor.properties.first(where: { $0.name == name }),
                case .relationship(let other) = found.kind
            else { continue }
            guard other.inverse == property else { break }
            return (ancestor.name + "." + name, found, other)
        }
        throw SyncModelError(entity, property, "\(relationship.target).\(name) is not its inverse")
    }

    /// Returns the rule of a to-one relationship whose object holds the register, and whether its members are
    /// ordered; nil if the other end holds it.
    private func reference(
        _ entity: String, _ property: SyncModel.Property, _ relationship: SyncModel.Relationship
    ) throws(SyncModelError) -> (ReferenceRule, isOrdered: Bool)? {
        guard !relationship.isToMany else { return nil }
        let inverse = try inverse(entity, property.name, relationship)
        if inverse?.name == Self.name(property, of: entity) { return nil }
        let isExclusive = inverse.map { !$0.relationship.isToMany } ?? false
        if isExclusive, let inverse, inverse.name.isBefore(Self.name(property, of: entity)) { return nil }
        let isAcyclic = property.userInfo["SyncAcyclic"] != nil
        if isAcyclic, relationship.target != entity {
            throw SyncModelError(entity, property.name, "only a relationship to its own entity has cycles")
        }
        let rule = ReferenceRule(
            target: relationship.target, isOptional: property.isOptional,
            inverse: inverse?.property.name, isExclusive: isExclusive, isAcyclic: isAcyclic,
            onDelete: inverse?.relationship.deleteRule ?? .nullify, deleteRule: relationship.deleteRule)
        return (rule, inverse?.relationship.isOrdered ?? false)
    }

    private func collection(
        _ entity: String, _ property: SyncModel.Property, _ relationship: SyncModel.Relationship
    ) throws(SyncModelError) -> CollectionRule? {
        guard relationship.isToMany, let inverse = try inverse(entity, property.name, relationship),
            !inverse.relationship.isToMany
        else { return nil }
        return CollectionRule(
            target: relationship.target, reference: inverse.property.name, isOrdered: relationship.isOrdered,
            minimum: relationship.minimum, maximum: relationship.maximum)
    }

    /// Returns the rule of a many-to-many relationship and the name of its pairs, if this is its first side:
    /// the one with the smaller name. A to-one relationship that is its own inverse is kept as pairs, too.
    func pair(
        _ entity: String, _ property: SyncModel.Property
    ) throws(SyncModelError) -> (String, PairRule)? {
        guard case .relationship(let relationship) = property.kind else { return nil }
        let inverse = try inverse(entity, property.name, relationship)
        let name = Self.name(property, of: entity)
        if !relationship.isToMany {
            guard inverse?.name == name else { return nil }
            guard property.isOptional else {
                throw SyncModelError(
                    entity, property.name,
                    "a mandatory to-one relationship that is its own inverse cannot be synced")
            }
        } else if let inverse, !inverse.relationship.isToMany || inverse.name.isBefore(name) {
            return nil
        }
        return (
            name,
            PairRule(
                first: side(entity, property.name, relationship),
                second: inverse.map { side(relationship.target, $0.property.name, $0.relationship) }
                    // Stores keep one owner with each member.
                    ?? PairRule.Side(
                        entity: relationship.target, relationship: nil, isOrdered: false, minimum: 0,
                        maximum: 0, isSingle: true, deleteRule: .nullify))
        )
    }

    private static func name(_ property: SyncModel.Property, of entity: String) -> String {
        entity + "." + property.name
    }

    private func side(
        _ entity: String, _ property: String, _ relationship: SyncModel.Relationship
    ) -> PairRule.Side {
        PairRule.Side(
            entity: entity, relationship: property, isOrdered: relationship.isOrdered,
            minimum: relationship.minimum, maximum: relationship.maximum, isSingle: !relationship.isToMany,
            deleteRule: relationship.deleteRule)
    }
}
