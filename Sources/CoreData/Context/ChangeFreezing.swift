import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The changes of a context as values, one change set a store: the line below which no user code runs.
struct FrozenChanges {
    /// What concerns one store.
    struct Share {
        let store: Int16
        /// Nil where objects changed and nothing of theirs is to be written.
        fileprivate(set) var set: ChangeSet?
        /// The objects behind the set.
        fileprivate(set) var inserted: [NSManagedObject] = []
        fileprivate(set) var updated: [NSManagedObject] = []
        fileprivate(set) var deleted: [NSManagedObject] = []
        /// Those of `updated` whose rows are written, in the order of the set.
        fileprivate(set) var rewritten: [NSManagedObject] = []

        var objects: [NSManagedObject] { inserted + updated + deleted }
    }

    /// What is in no store yet, at -1, comes last: it may refer to what is inserted.
    private(set) var shares: [Share] = []

    init(_ context: NSManagedObjectContext) throws {
        // Objects of one entity go to one store, unless some were assigned, and mostly follow one another.
        var last: (entity: EntityIndex, store: Int16)?
        for object in context.tracker.tracked where object.isDirty {
            if object.isDeleted {
                if !object.isInserted { delete(object) }
            } else if object.isInserted {
                let entity = object.runtime.compiled.index
                if last?.entity != entity || !context.assignedStores.isEmpty {
                    last = (entity, try context.storeForInserting(object).index)
                }
                if let last { insert(object, in: last.store) }
            } else {
                update(object)
            }
        }
        for object in context.tracker.locked {
            guard let committed = object.committed else { continue }
            let share = writtenShare(of: object.storeIndex)
            shares[share].set?.locked.append(
                RowDeletion(reference: object.reference, version: committed.version, committed: committed))
        }
        for index in shares.indices {
            shares[index].set?.author = context.transactionAuthor
            shares[index].set?.contextName = context.name
        }
        shares.sort { UInt16(bitPattern: $0.store) < UInt16(bitPattern: $1.store) }
    }

    /// Where the share of a store is: there are few.
    private mutating func share(of store: Int16) -> Int {
        if let known = shares.firstIndex(where: { $0.store == store }) { return known }
        shares.append(Share(store: store))
        return shares.count - 1
    }

    /// The same where something is to be written.
    private mutating func writtenShare(of store: Int16) -> Int {
        let share = share(of: store)
        beginSet(of: share)
        return share
    }

    private mutating func beginSet(of share: Int) {
        if shares[share].set == nil { shares[share].set = ChangeSet() }
    }

    private mutating func insert(_ object: NSManagedObject, in store: Int16) {
        guard let row = object.row else { return }
        if object.runtime.compiled.isAbstract {
            programmerError(
                "Cannot save an object of the abstract entity \(object.runtime.compiled.name): insert one of its "
                    + "subentities.")
        }
        row.key = object.reference.key
        let share = writtenShare(of: store)
        shares[share].set?.inserted.append(row)
        shares[share].inserted.append(object)
        addLinks(of: object, to: share)
    }

    private mutating func update(_ object: NSManagedObject) {
        guard let committed = object.committed, let row = object.row else { return }
        let changed = row === committed ? ColumnMask() : row.columns(differingFrom: committed)
        var members: [Int] = []
        if !object.side.isEmpty {
            members = object.side.indices.filter { (object.side[$0] as? ToManyValue)?.isChanged ?? false }
        }
        let share = share(of: object.storeIndex)
        shares[share].updated.append(object)
        guard !changed.isEmpty || !members.isEmpty else { return }
        beginSet(of: share)
        shares[share].rewritten.append(object)
        shares[share].set?.updated.append(
            RowUpdate(committed: committed, proposed: row, changed: changed, changedMembers: members))
        addLinks(of: object, to: share)
    }

    private mutating func delete(_ object: NSManagedObject) {
        let share = writtenShare(of: object.storeIndex)
        shares[share].deleted.append(object)
        guard !object.flags.contains(.inaccessible) else { return }
        shares[share].set?.deleted.append(
            RowDeletion(
                reference: object.reference, version: object.committed?.version, committed: object.committed))
        for index in object.runtime.relationshipSlots where Self.storesMembers(object, index) {
            let before = object.toMany(at: object.runtime.compiled.slots[index]).committed ?? []
            guard !before.isEmpty else { continue }
            shares[share].set?.links.append(
                LinkChange(owner: object.reference, slot: index, before: before, after: []))
        }
    }

    private mutating func addLinks(of object: NSManagedObject, to share: Int) {
        guard !object.side.isEmpty else { return }
        for index in object.runtime.relationshipSlots {
            guard let value = object.side(at: index) as? ToManyValue, value.isChanged,
                Self.storesMembers(object, index) || value.isOrdered
            else { continue }
            let loaded = object.toMany(at: object.runtime.compiled.slots[index])
            shares[share].set?.links.append(
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
