import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The changes of one event in a context, in a form that can be undone: the inserted and deleted objects, and
/// the values of updated ones before and after.
///
/// Values are kept as differences, so that changes by a merge or a save in between stay. Both sides of a
/// relationship change in an event, and each is restored separately.
struct UndoEvent {
    var inserted: [NSManagedObject] = []
    var deleted: [Deletion] = []
    var updated: [Update] = []

    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updated.isEmpty }

    /// A deleted object with the data to make it again, since it may have left the context by the time of the
    /// undo.
    struct Deletion {
        let object: NSManagedObject
        let row: Snapshot?
        let destinations: [(slot: PropertySlot, objects: [NSManagedObject])]

        init(_ object: NSManagedObject) {
            self.object = object
            row = object.row
            destinations = object.runtime.relationshipSlots.map { index in
                let slot = object.runtime.slot(at: index)
                return (slot, object.knownDestinations(at: slot))
            }
        }
    }

    struct Update {
        let object: NSManagedObject
        /// The rows before and after, and the columns in which they differ.
        let before: Snapshot?
        let after: Snapshot?
        let columns: [Int]
        let relationships: [RelationshipUpdate]

        var isEmpty: Bool { columns.isEmpty && relationships.isEmpty }

        var inverse: Update {
            Update(
                object: object, before: after, after: before, columns: columns,
                relationships: relationships.map(\.inverse))
        }
    }

    /// Destinations as objects: references change when objects are saved.
    struct RelationshipUpdate {
        let slot: PropertySlot
        let before: [NSManagedObject]
        let after: [NSManagedObject]

        var isEmpty: Bool {
            slot.relationship?.isOrdered == true ? before == after : Set(before) == Set(after)
        }

        var inverse: RelationshipUpdate {
            RelationshipUpdate(slot: slot, before: after, after: before)
        }
    }
}

extension UndoEvent {
    /// Makes the record of the event that ends, from the objects that changed in it.
    init(_ objects: some Sequence<NSManagedObject>, in context: NSManagedObjectContext) {
        for object in objects {
            let flags = object.flags
            let isNew = flags.contains([.inserted, .pendingInsert])
            if flags.contains([.deleted, .pendingDelete]) {
                if isNew || flags.contains(.inaccessible) { continue }
                deleted.append(Deletion(object))
            } else if isNew {
                inserted.append(object)
                continue
            }
            guard flags.contains(.pendingUpdate) else { continue }
            let update = Update(object, in: context)
            if !update.isEmpty { updated.append(update) }
        }
    }
}

extension UndoEvent.Update {
    fileprivate init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        self.object = object
        after = object.row
        before = object.rowBeforeEvent
        var columns: [Int] = []
        var relationships: [UndoEvent.RelationshipUpdate] = []
        if let before, let after {
            for (column, slot) in object.runtime.columns.enumerated()
            where !after.isEqual(column, to: before) {
                guard slot.isToOne else {
                    columns.append(column)
                    continue
                }
                func destination(_ row: Snapshot) -> [NSManagedObject] {
                    row.toOne(column).map { [context.object(for: $0, storeIndex: object.storeIndex)] } ?? []
                }
                relationships.append(
                    UndoEvent.RelationshipUpdate(
                        slot: slot, before: destination(before), after: destination(after)))
            }
        }
        for index in object.runtime.relationshipSlots {
            guard let value = object.side(at: index) as? ToManyValue, value.isChangedInEvent,
                let before = value.membersBeforeEvent
            else { continue }
            let update = UndoEvent.RelationshipUpdate(
                slot: object.runtime.slot(at: index), before: before, after: value.array)
            if !update.isEmpty { relationships.append(update) }
        }
        self.columns = columns
        self.relationships = relationships
    }
}
