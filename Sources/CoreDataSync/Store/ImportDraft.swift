internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// An import as unsaved changes of a context of its own, used on that context's queue.
///
/// It writes over nothing that was saved since the capture: before the objects are read the ledger's hashes
/// tell, and from then on their row versions, which the save compares.
struct ImportDraft {
    let reader: StoreReader
    let plan: ImportPlan
    let ledger: TrackedLedger
    let context: NSManagedObjectContext
    private let made: Set<SyncID>
    private let deleted: Set<SyncID>
    /// The pairs that go.
    private let leaving: Set<ItemKey>
    private(set) var objects: [SyncID: NSManagedObject] = [:]
    /// The objects of the plan by their names in the store. One that the import lets stand for another object has the
    /// ID that it will have, as in the plan, and not the ledger's.
    private var plannedIDs: [LocalKey: SyncID] = [:]
    private(set) var created: [SyncID: LocalKey] = [:]

    /// The store has what the ledger does not know. Nothing of the import is saved.
    struct Refusal: Error {}

    private var binding: ModelBinding { reader.binding }

    init(
        _ plan: ImportPlan, _ ledger: TrackedLedger, _ reader: StoreReader, _ context: NSManagedObjectContext
    ) {
        self.plan = plan
        self.ledger = ledger
        self.reader = reader
        self.context = context
        made = Set(plan.rows.filter { $0.local == nil }.map(\.id))
        deleted = Set(plan.rows.filter(\.isDeleted).map(\.id))
        leaving = Set(plan.pairs.filter { !$0.isPresent }.map(\.key))
    }

    /// Makes the changes.
    ///
    /// - Throws: `Refusal`, or an error of the store.
    mutating func make() throws {
        try find()
        for row in plan.rows { try check(row) }
        for list in plan.lists { try check(list) }
        for pair in plan.pairs { try check(pair) }
        try insert()
        for row in plan.rows where !row.isDeleted { try setValues(row) }
        try setPairs()
        let deleted = plan.rows.filter(\.isDeleted).compactMap { objects[$0.id] }
        let before = try strayReferences()
        // The app's code is asked while the objects have their relationships.
        for object in deleted { context.delete(object) }
        let byTheApp = try strayReferences().subtracting(before)
        // Then no delete rule has anything to do.
        for object in deleted { object.removeRelationships(try entity(object)) }
        try setLists()
        guard try strayReferences().isSubset(of: byTheApp) else { throw Refusal() }
    }

    // MARK: Finding

    /// Reads all objects that the plan names.
    private mutating func find() throws {
        var wanted: [LocalKey: SyncID] = [:]
        for row in plan.rows { if let local = row.local { wanted[local] = row.id } }
        let moved = Set(wanted.values)
        func want(_ id: SyncID) {
            guard !made.contains(id), !moved.contains(id), let local = ledger.entry(.object(id))?.local,
                wanted[local] == nil
            else { return }
            wanted[local] = id
        }
        for value in plan.rows.flatMap(\.values.values) {
            if let target = value.value.reference { want(target) }
        }
        for list in plan.lists { ([list.owner] + list.expected + list.members).forEach(want) }
        for pair in plan.pairs {
            if case .pair(_, let first, let second) = pair.key { [first, second].forEach(want) }
        }
        plannedIDs = wanted
        var byEntity: [String: [NSManagedObjectID: SyncID]] = [:]
        for (local, id) in wanted {
            guard let objectID = binding.objectID(local, in: reader.access) else { throw Refusal() }
            byEntity[objectID.entity.name ?? "", default: [:]][objectID] = id
        }
        for (name, ids) in byEntity {
            guard let entity = binding.entity(named: name) else { throw Refusal() }
            let keys = Array(ids.keys)
            for start in stride(from: 0, to: keys.count, by: 500) {
                let some = Array(keys[start..<min(start + 500, keys.count)])
                for object in try reader.fetch(some, entity, in: context) {
                    if let id = ids[object.objectID] { objects[id] = object }
                }
            }
        }
    }

    private func entity(_ object: NSManagedObject) throws -> EntityBinding {
        guard let entity = binding.entity(named: object.entity.name) else { throw Refusal() }
        return entity
    }

    private func local(_ id: SyncID) -> LocalKey? { objects[id].flatMap { binding.local($0.objectID) } }

    // MARK: Checking

    private func check(_ row: ImportPlan.Row) throws {
        guard row.local != nil else { return }
        guard let object = objects[row.id] else { throw Refusal() }
        for register in try entity(object).registers {
            guard let planned = row.values[register.name] else { continue }
            guard shown(try reader.value(of: register, object))?.stableHash == planned.expected else {
                throw Refusal()
            }
        }
    }

    /// Returns a value under the names that all devices know; nil if it leads to an object that has none yet.
    private func shown(_ value: LocalValue?) -> SyncValue? {
        switch value {
        case nil: .null
        case .plain(let plain): plain
        case .object(let local): ledger.id(of: local).map { .reference($0) }
        }
    }

    private func check(_ list: ImportPlan.List) throws {
        guard let owner = objects[list.owner] else {
            if made.contains(list.owner) { return }
            throw Refusal()
        }
        guard let property = try self.list(list, owner)?.property else { return }
        let expected = list.expected.map { local($0) ?? ledger.entry(.object($0))?.local ?? "" }
        guard reader.members(property, of: owner) == expected else { throw Refusal() }
    }

    private func list(_ list: ImportPlan.List, _ owner: NSManagedObject) throws -> EntityBinding.List? {
        try entity(owner).lists.first { $0.relationship == list.relationship }
    }

    private func check(_ pair: ImportPlan.Pair) throws {
        guard case .pair(let name, let first, let second) = pair.key else { return }
        let areThere = [first, second].allSatisfy { objects[$0] != nil || made.contains($0) }
        if pair.isPresent, !areThere { throw Refusal() }
        guard let owner = objects[first], let partner = objects[second], !isDeleted(first),
            !isDeleted(second),
            let pairs = try pairs(name, owner), let partnerKey = binding.local(partner.objectID)
        else { return }
        let present = reader.members(pairs.property, of: owner)
        if present.contains(partnerKey) == pair.isPresent { throw Refusal() }
        guard pair.isPresent, !pairs.isToMany else { return }
        // The partner that it replaces must be the one that goes.
        for local in present {
            guard let id = plannedIDs[local], leaving.contains(.pair(name, first, id)) else {
                throw Refusal()
            }
        }
    }

    private func pairs(_ name: String, _ owner: NSManagedObject) throws -> EntityBinding.Pairs? {
        try entity(owner).pairs.first { $0.side.name == name && $0.side.isFirst }
    }

    private func isDeleted(_ id: SyncID) -> Bool { deleted.contains(id) }

    /// A reference of an object.
    private struct Reference: Hashable {
        var object: NSManagedObjectID
        var property: String
    }

    /// Returns the references that change and that the plan does not name: those that lead to a deleted object, or to
    /// one that has another owner now, and were not captured yet.
    private func strayReferences() throws -> Set<Reference> {
        let planned = Dictionary(plan.rows.map { ($0.id, $0) }) { $1 }
        let ids = Dictionary(objects.map { ($0.value.objectID, $0.key) }) { $1 }
        var result: Set<Reference> = []
        for object in context.updatedObjects {
            let row = ids[object.objectID].flatMap { planned[$0] }
            let changed = object.changedValues()
            for register in try entity(object).registers {
                guard case .reference(let property, _) = register.place, changed[property] != nil else {
                    continue
                }
                if row?.isDeleted ?? false || row?.values[register.name] != nil { continue }
                result.insert(Reference(object: object.objectID, property: property))
            }
        }
        return result
    }

    // MARK: Changing

    private mutating func insert() throws {
        let rows = plan.rows.filter { $0.local == nil }
        guard !rows.isEmpty else { return }
        for row in rows {
            guard let name = binding.entities[row.entity]?.name,
                let description = NSEntityDescription.entity(forEntityName: name, in: context)
            else { throw Refusal() }
            let object = NSManagedObject(entity: description, insertInto: context)
            context.assign(object, to: reader.access.store)
            objects[row.id] = object
        }
        try context.obtainPermanentIDs(for: rows.compactMap { objects[$0.id] })
        for row in rows { created[row.id] = local(row.id) }
    }

    private func setValues(_ row: ImportPlan.Row) throws {
        guard let object = objects[row.id] else { throw Refusal() }
        for register in try entity(object).registers {
            // A new object may have defaults, and what the app's hooks gave it.
            guard let value = row.values[register.name]?.value ?? (row.local == nil ? .null : nil) else {
                continue
            }
            for (attribute, part) in register.attributes(of: value) { try set(part, attribute, object) }
            guard case .reference(let property, _) = register.place else { continue }
            let target = value.reference.flatMap { objects[$0] }
            if value.reference != nil, target == nil { throw Refusal() }
            if object.primitive(property) as? NSManagedObject !== target {
                object.setValue(target, forKey: property)
            }
        }
    }

    private func set(_ value: SyncValue, _ attribute: AttributeBinding, _ object: NSManagedObject) throws {
        guard !StoreValue.isShown(value, attribute, by: object) else { return }
        object.setPrimitive(
            StoreValue.object(try reader.blobs.whole(value), attribute), attribute.property)
    }

    private func setPairs() throws {
        // An object with one partner lets go of it before it gets another one.
        for pair in plan.pairs.filter({ !$0.isPresent }) + plan.pairs.filter(\.isPresent) {
            guard case .pair(let name, let first, let second) = pair.key, let owner = objects[first],
                let partner = objects[second], let pairs = try pairs(name, owner)
            else { continue }
            pairs.set(partner, in: owner, isPresent: pair.isPresent)
        }
    }

    private func setLists() throws {
        for list in plan.lists where !isDeleted(list.owner) {
            guard let owner = objects[list.owner], let property = try self.list(list, owner)?.property else {
                continue
            }
            let members = try list.members.map { id in
                guard let object = objects[id] else { throw Refusal() }
                return object
            }
            let present = (owner.value(forKey: property) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            // Members that the plan does not name were not captured yet.
            guard Set(present.map(\.objectID)) == Set(members.map(\.objectID)) else { throw Refusal() }
            if present.map(\.objectID) != members.map(\.objectID) {
                owner.setValue(NSOrderedSet(array: members), forKey: property)
            }
        }
    }
}
