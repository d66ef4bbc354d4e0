/// Everything that is known of an object or a pair: the merge of all changes to it.
package struct ItemState: Hashable, Sendable, DigestedItem {
    /// The stable name of the entity; of a pair, that of the relationship.
    package var entity: String
    /// A pair always has length 1: whether it is there is its register `presence`.
    package var existence: Existence
    /// When it was first made; older objects stay where two are merged into one.
    package var created: Stamp
    /// The object that this one was merged into.
    package var alias: SyncID?
    package var registers: [String: Register]

    /// The register of a pair that says whether it is there.
    package static let presence = "present"
    /// The registers of a pair with its place among the partners of its first and its second object.
    package static let places = ["first", "second"]

    package init(
        entity: String, existence: Existence, created: Stamp? = nil, alias: SyncID? = nil,
        registers: [String: Register] = [:]
    ) {
        self.entity = entity
        self.existence = existence
        self.created = created ?? existence.stamp
        self.alias = alias
        self.registers = registers
    }

    package var isAlive: Bool { existence.isAlive && alias == nil }

    /// Whether a pair is there.
    package var isPresent: Bool { registers[Self.presence]?.value == .boolean(true) }

    package subscript(_ register: String) -> SyncValue { registers[register]?.value ?? .null }

    /// The latest write to any part of it.
    package var stamp: Stamp { registers.values.reduce(existence.stamp) { max($0, $1.stamp) } }

    /// Returns the merge of two states of one item.
    package func merged(with other: ItemState, rule: (String) -> MergeRule) -> ItemState {
        var result = self
        result.merge(existence: other.existence, created: other.created)
        result.alias = [alias, other.alias].compactMap { $0 }.min()
        for (name, register) in other.registers { result.merge(register, as: name, rule(name)) }
        return result
    }

    package mutating func merge(_ register: Register, as name: String, _ rule: MergeRule) {
        registers[name] = registers[name].map { $0.merged(with: register, rule) } ?? register
    }

    package mutating func merge(existence other: Existence, created other2: Stamp) {
        existence = existence.merged(with: other)
        created = min(created, other2)
    }
}
