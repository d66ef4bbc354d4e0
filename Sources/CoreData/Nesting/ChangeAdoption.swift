import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The application of a child context's save to the parent's objects: only the properties that the child
/// changed, with both sides of relationships.
struct ChangeAdoption {
    private let context: NSManagedObjectContext
    private let storeIndex: Int16

    init(_ context: NSManagedObjectContext, storeIndex: Int16) {
        self.context = context
        self.storeIndex = storeIndex
    }

    func adopt(_ changes: ChangeSet) {
        // All are inserted before a relationship between them is set.
        let inserted = changes.inserted.rows.map { (insert($0), $0) }
        for (object, row) in inserted { set(row.layout.columns.indices, of: object, from: row) }
        for update in changes.updated {
            let object = object(update.reference)
            object.fireIfNeeded()
            // An object that the parent deleted stays deleted.
            if object.isDeleted { continue }
            let row = update.proposed
            set(row.layout.columns.indices.filter(update.changed.contains), of: object, from: row)
            object.noteChange()
        }
        for link in changes.links { set(link) }
        for deletion in changes.deleted {
            let object = object(deletion.reference)
            if object.registry != nil, !object.isDeleted { context.delete(object) }
        }
    }

    /// Returns the context's object for one that the child knows by a reference.
    private func object(_ reference: ObjectReference) -> NSManagedObject {
        context.object(at: context.address(of: reference, beside: storeIndex))
    }

    private func insert(_ row: Snapshot) -> NSManagedObject {
        let object = object(row.reference)
        object.takeDefaults()
        if let store = context.coordinator?.handle(at: storeIndex)?.store,
            context.requiredCoordinator.handles.count > 1
        {
            context.assignedStores[ObjectIdentifier(object)] = store
        }
        context.tracker.noteInsert(object, in: context)
        object.awakeFromInsert()
        return object
    }

    // MARK: Values

    private func set(_ columns: some Sequence<Int>, of object: NSManagedObject, from row: Snapshot) {
        for column in columns {
            let slot = object.runtime.columns[column]
            if slot.isToOne {
                object.setToOne(row.toOne(column).map(self.object), at: slot)
            } else {
                object.ownRow().copyColumn(column, from: row)
                object.setSide(nil, at: slot.index)
            }
        }
    }

    /// Sets the members of a to-many relationship. Members that the parent added or removed meanwhile stay
    /// added or removed; the order is the child's.
    private func set(_ link: LinkChange) {
        let owner = object(link.owner)
        if owner.isDeleted { return }
        let slot = owner.runtime.slot(at: link.slot)
        let after = Set(link.after)
        for reference in link.before where !after.contains(reference) {
            owner.removeMember(object(reference), at: slot)
        }
        let members = link.after.map(object)
        for member in members { owner.insertMember(member, at: slot) }
        let value = owner.toMany(at: slot)
        guard value.isOrdered else { return }
        let childs = Set(members)
        let order = members + value.array.filter { !childs.contains($0) }
        if value.array != order { value.reorder(order) }
    }
}
