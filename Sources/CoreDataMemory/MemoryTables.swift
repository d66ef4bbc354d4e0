package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The committed rows of a store in memory, and the members of its to-many relationships.
///
/// It is a value: a copy is a snapshot of the store, which costs nothing until the next change.
package struct MemoryTables: @unchecked Sendable {
    package let model: CompiledModel
    /// The rows by their root entity.
    private var tables: [EntityIndex: RowTable] = [:]
    private var members: [MemberKey: Members] = [:]
    /// The highest key that was ever handed out. Keys are unique in the whole store, as in Apple's atomic
    /// stores (xml-store §1).
    package private(set) var lastKey: Int64

    /// A relationship of one owner. An inherited slot has the same index in all entities of a tree.
    struct MemberKey: Hashable {
        let root: EntityIndex
        let owner: Int64
        let slot: Int
    }

    private enum Members {
        case set(Set<ObjectReference>)
        case list([ObjectReference])
    }

    package init(_ model: CompiledModel, lastKey: Int64 = 0) {
        self.model = model
        self.lastKey = Self.possibleKeys.contains(lastKey) ? lastKey : 0
    }

    // MARK: Reading

    package func row(_ reference: ObjectReference) -> Snapshot? {
        tables[model[reference.entity].root]?[reference.key]
    }

    /// Returns the rows of an entity, in the order of their keys.
    package func rows(of entity: EntityIndex, includingSubentities: Bool = true) -> [Snapshot] {
        let compiled = model[entity]
        guard let table = tables[compiled.root] else { return [] }
        let family = compiled.family(includingSubentities: includingSubentities)
        return table.all.filter { family.contains($0.entity) }
    }

    /// The rows of all entities, one inheritance tree after the other.
    package var allRows: [Snapshot] {
        tables.keys.sorted().flatMap { tables[$0].map { Array($0.all) } ?? [] }
    }

    /// Returns the members of a to-many relationship, in their order if it is ordered, otherwise in the order
    /// of their keys.
    package func related(_ slot: Int, of owner: ObjectReference) -> [ObjectReference] {
        switch members[key(owner, slot)] {
        case nil: []
        case .list(let list): list
        case .set(let set): set.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
        }
    }

    func key(_ owner: ObjectReference, _ slot: Int) -> MemberKey {
        MemberKey(root: model[owner.entity].root, owner: owner.key, slot: slot)
    }

    // MARK: Writing

    package mutating func allocateKey() -> Int64 {
        lastKey += 1
        return lastKey
    }

    package mutating func noteKey(_ key: Int64) {
        if Self.possibleKeys.contains(key) { lastKey = max(lastKey, key) }
    }

    /// The keys that rows may have. No store ever reaches the upper bound, so there is always a next key.
    package static let possibleKeys: ClosedRange<Int64> = 1...(.max >> 8)

    /// Returns whether a relationship may refer to objects of a reference's entity. In a damaged file it may
    /// refer to others.
    package static func may(
        _ slot: PropertySlot, leadTo reference: ObjectReference, _ model: CompiledModel
    ) -> Bool {
        slot.relationship.map { model[$0.destination].includes(reference.entity) } ?? false
    }

    mutating func set(_ row: Snapshot) {
        tables[row.root, default: RowTable()].set(row)
    }

    @discardableResult
    mutating func remove(_ reference: ObjectReference) -> Snapshot? {
        tables[model[reference.entity].root]?.remove(reference.key)
    }

    mutating func removeMembers(of owner: ObjectReference, _ slot: Int) {
        members[key(owner, slot)] = nil
    }

    /// Adds a member, as the last one if the relationship is ordered.
    mutating func join(_ member: ObjectReference, _ owner: ObjectReference, _ slot: PropertySlot) {
        let key = key(owner, slot.index)
        // Removed from the table while it changes, so that the change does not copy it.
        switch members.removeValue(forKey: key) {
        case .set(var set):
            set.insert(member)
            members[key] = .set(set)
        case .list(var list):
            if !list.contains(member) { list.append(member) }
            members[key] = .list(list)
        case nil:
            members[key] = slot.relationship?.isOrdered == true ? .list([member]) : .set([member])
        }
    }

    mutating func leave(_ member: ObjectReference, _ owner: ObjectReference, _ slot: Int) {
        let key = key(owner, slot)
        switch members.removeValue(forKey: key) {
        case .set(var set):
            set.remove(member)
            members[key] = set.isEmpty ? nil : .set(set)
        case .list(var list):
            list.removeAll { $0 == member }
            members[key] = list.isEmpty ? nil : .list(list)
        case nil: break
        }
    }

    /// Puts the members of an ordered relationship in order. Members that `order` does not contain come last.
    mutating func arrange(_ order: [ObjectReference], _ owner: ObjectReference, _ slot: Int) {
        let key = key(owner, slot)
        guard case .list(let list)? = members[key] else { return }
        let present = Set(list)
        let named = order.filter(present.contains)
        let known = Set(named)
        members[key] = .list(named + list.filter { !known.contains($0) })
    }
}
