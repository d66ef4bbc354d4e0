package import CoreDataValues

/// A model compiled for syncing: which registers the objects of each entity have, and the rules between them.
package struct SyncSchema: Hashable, Sendable {
    package let model: SyncModel
    package let entities: [String: SyncEntity]
    /// Many-to-many relationships by the stable name that pairs are kept under.
    package let pairs: [String: PairRule]

    /// Whether an entity is another one or inherits from it.
    package func isKind(_ entity: String, of ancestor: String) -> Bool {
        entities[entity]?.ancestors.contains(ancestor) ?? false
    }

    /// Returns the rule of one side of a many-to-many relationship.
    package func rule(of side: PairSide) -> PairRule.Side? {
        pairs[side.name].map { side.isFirst ? $0.first : $0.second }
    }

    /// Returns a pair and, if its relationship is its own inverse, the pair with its objects exchanged, in the
    /// order of keys.
    func images(of key: ItemKey) -> [ItemKey] {
        guard case .pair(let name, let first, let second) = key, first != second,
            pairs[name]?.isMirrored ?? false
        else { return [key] }
        return [key, key.mirrored].sorted()
    }

    /// Returns how a register is merged; `latest` for one that this version of the model does not know.
    package func mergeRule(_ register: String, of entity: String) -> MergeRule {
        entities[entity]?.registers[register]?.merge ?? .latest
    }
}

/// An entity with everything that it inherits.
package struct SyncEntity: Hashable, Sendable {
    package let name: String
    /// Itself, its parent and so on.
    package let ancestors: Set<String>
    package let registers: [String: RegisterRule]
    /// To-many relationships whose members hold the reference.
    package let collections: [String: CollectionRule]
    package let unique: [UniqueRule]
    /// The attributes whose values are the object's identity.
    package let identity: [String]
    /// These attributes as a rule: objects that were made with equal values are one. Nil without an identity.
    package let identityRule: UniqueRule?
    /// All rules by whose values objects are found.
    let indexed: [UniqueRule]
    /// Whether a concurrent edit brings a deleted object back.
    package let editsWin: Bool

    /// The registers that have a value of their own, in the order of their names: all but places.
    package let values: [Named<RegisterRule>]
    /// The registers that refer to other objects, in the order of their names.
    package let references: [Named<ReferenceRule>]

    init(
        name: String, ancestors: Set<String>, registers: [String: RegisterRule],
        collections: [String: CollectionRule], unique: [UniqueRule], identity: [String], editsWin: Bool
    ) {
        self.name = name
        self.ancestors = ancestors
        self.registers = registers
        self.collections = collections
        self.unique = unique
        self.identity = identity
        let identityRule = identity.isEmpty ? nil : UniqueRule(entity: name, attributes: identity)
        self.identityRule = identityRule
        indexed = unique + (identityRule.map { unique.contains($0) ? [] : [$0] } ?? [])
        self.editsWin = editsWin
        values = registers.map { Named(name: $0.key, rule: $0.value) }
            .filter { if case .position = $0.rule { false } else { true } }
            .sorted { $0.name.isBefore($1.name) }
        references = values.compactMap { value in
            if case .reference(let rule) = value.rule { Named(name: value.name, rule: rule) } else { nil }
        }
    }

    /// The rule of a property, with its name.
    package struct Named<Rule: Hashable & Sendable>: Hashable, Sendable {
        package let name: String
        package let rule: Rule
    }
}

/// Attributes whose values no two objects of an entity share.
package struct UniqueRule: Hashable, Sendable {
    /// The entity that declares the rule; objects of its descendants count as well.
    package var entity: String
    package var attributes: [String]
}

/// What a register of an object holds.
package enum RegisterRule: Hashable, Sendable {
    case attribute(AttributeRule)
    /// Attributes that are merged as one.
    case group([String: AttributeRule])
    case reference(ReferenceRule)
    /// The place among the members of the owner that the named reference leads to.
    case position(reference: String)
}

package struct AttributeRule: Hashable, Sendable {
    package var type: AttributeType
    package var isOptional: Bool
    package var standard: SyncValue
    package var merge: MergeRule
}

package struct ReferenceRule: Hashable, Sendable {
    package var target: String
    package var isOptional: Bool
    /// The relationship at the other end.
    package var inverse: String?
    /// Whether the other end is to-one as well, so that a target has one owner at most.
    package var isExclusive: Bool
    package var isAcyclic: Bool
    /// What the deletion of the target does to the object that refers to it.
    package var onDelete: SyncModel.DeleteRule
    /// What the deletion of the object does to the target.
    package var deleteRule: SyncModel.DeleteRule
}

/// A to-many relationship whose members refer to their owner.
package struct CollectionRule: Hashable, Sendable {
    package var target: String
    /// The register of the members.
    package var reference: String
    package var isOrdered: Bool
    package var minimum: Int
    package var maximum: Int
}

/// A many-to-many relationship, or a to-many one without inverse.
package struct PairRule: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
        package var entity: String
        /// Nil where the relationship has no inverse.
        package var relationship: String?
        package var isOrdered: Bool
        package var minimum: Int
        package var maximum: Int
        /// Whether an object on this side has one partner at most, and the latest one takes its place.
        package var isSingle: Bool
        /// What the deletion of the object on this side does to its partners.
        package var deleteRule: SyncModel.DeleteRule
    }

    package var first: Side
    package var second: Side

    /// Whether the relationship is its own inverse, so that each pair has a mirror image.
    package var isMirrored: Bool {
        first.relationship == second.relationship && first.entity == second.entity
    }
}
