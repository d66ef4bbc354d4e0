import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The changes of a context as values, one change set a store: the line below which no user code runs.
struct FrozenChanges {
    private(set) var sets: [Int16: ChangeSet] = [:]
    /// The objects behind each set.
    private(set) var inserted: [Int16: [NSManagedObject]] = [:]
    private(set) var updated: [Int16: [NSManagedObject]] = [:]
    private(set) var deleted: [Int16: [NSManagedObject]] = [:]

    init(_ context: NSManagedObjectContext) throws {
        var stores: [EntityIndex: Int16] = [:]
        for object in context.tracker.tracked where object.isDirty {
            if object.isDeleted {
                if !object.isInserted { delete(object) }
            } else if object.isInserted {
                let entity = object.runtime.compiled.index
                let store = try stores[entity] ?? context.storeForInserting(object).index
                // Only objects that were assigned to stores need to be asked one by one.
                if context.assignedStores.isEmpty { stores[entity] = store }
                insert(object, in: store)
            } else {
                update(object)
            }
        }
        for object in context.tracker.locked {
            guard let committed = object.committed else { continue }
            sets[object.storeIndex, default: ChangeSet()].locked.append(
                RowDeletion(reference: object.reference, version: committed.version, committed: committed))
        }
        for index in sets.keys {
            sets[index]?.author = context.transactionAuthor
            sets[index]?.contextName = context.name
        }
    }

    /// The stores that objects were changed in, though perhaps nothing of theirs is to be written.
    var stores: Set<Int16> { Set(inserted.keys).union(updated.keys).union(deleted.keys) }

    func objects(of store: Int16) -> [NSManagedObject] {
        (inserted[store] ?? []) + (updated[store] ?? []) + (deleted[store] ?? [])
    }

    private mutating func insert(_ object: NSManagedObject, in store: Int16) {
        guard let row = object.row else { return }
        if object.runtime.compiled.isAbstract {
            programmerError(
                "Cannot save an object of the abstract entity \(object.runtime.compiled.name): insert one of its "
                    + "subentities.")
        }
        row.key = object.reference.key
        sets[store, default: ChangeSet()].inserted.append(row)
        inserted[store, default: []].append(object)
        addLinks(of: object, in: store)
    }

    private mutating func update(_ object: NSManagedObject) {
        guard let committed = object.committed, let row = object.row else { return }
        let store = object.storeIndex
        var changed = ColumnMask()
        if row !== committed {
            for column in row.layout.columns.indices where !row.isEqual(column, to: committed) {
                changed.insert(column)
            }
        }
        let members = object.side.indices.filter { (object.side[$0] as? ToManyValue)?.isChanged ?? false }
        updated[store, default: []].append(object)
        guard !changed.isEmpty || !members.isEmpty else { return }
        sets[store, default: ChangeSet()].updated.append(
            RowUpdate(committed: committed, proposed: row, changed: changed, changedMembers: Array(members)))
        addLinks(of: object, in: store)
    }

    private mutating func delete(_ object: NSManagedObject) {
        let store = object.storeIndex
        deleted[store, default: []].append(object)
        guard !object.flags.contains(.inaccessible) else {
            sets[store, default: ChangeSet()].author = nil
            return
        }
        sets[store, default: ChangeSet()].deleted.append(
            RowDeletion(
                reference: object.reference, version: object.committed?.version, committed: object.committed))
        for index in object.runtime.relationshipSlots where Self.storesMembers(object, index) {
            let before = object.toMany(at: object.runtime.compiled.slots[index]).committed ?? []
            guard !before.isEmpty else { continue }
            sets[store]?.links.append(
                LinkChange(owner: object.reference, slot: index, before: before, after: []))
        }
    }

    private mutating func addLinks(of object: NSManagedObject, in store: Int16) {
        guard !object.side.isEmpty else { return }
        for index in object.runtime.relationshipSlots {
            guard let value = object.side(at: index) as? ToManyValue, value.isChanged,
                Self.storesMembers(object, index) || value.isOrdered
            else { continue }
            let loaded = object.toMany(at: object.runtime.compiled.slots[index])
            sets[store, default: ChangeSet()].links.append(
                LinkChange(
                    owner: object.reference, slot: index, before: loaded.committed ?? [],
                    after: loaded.array.filter { !$0.isDeleted && $0.registry != nil }.map(\.reference)))
        }
    }

    /// Whether the members of a to-many are stored for themselves, not in the destinations' rows.
    private static func storesMembers(_ object: NSManagedObject, _ index: Int) -> Bool {
        let slot = object.runtime.compiled.slots[index]
        guard let relationship = slot.relationship, relationship.isToMany, !slot.isTransient else {
            return false
        }
        guard let inverse = object.runtime.model.compiled.inverse(of: relationship) else { return true }
        return inverse.isToMany
    }
}
