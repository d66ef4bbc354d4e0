import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The other sides of an object's relationships, which are kept in step with its row when a newer one
/// replaces it.
///
/// The conflict is about this object alone: objects that it refers to are not read anew.
struct OtherSides {
    private let object: NSManagedObject
    /// The object that each to-one slot referred to before.
    private let before: [Int: ObjectReference]

    init(of object: NSManagedObject) {
        self.object = object
        // Nothing refers to a deleted object any more.
        before = object.isDeleted ? [:] : Self.destinations(of: object)
    }

    private static func destinations(of object: NSManagedObject) -> [Int: ObjectReference] {
        guard let row = object.row else { return [:] }
        var result: [Int: ObjectReference] = [:]
        for (column, slot) in object.runtime.columns.enumerated() where slot.isToOne {
            result[slot.index] = row.toOne(column)
        }
        return result
    }

    /// Updates the inverse relationships of the objects that this one referred to before and refers to now.
    /// Called once it has its new row.
    ///
    /// - Parameter changesRows: Whether to-one inverses, which are in the rows of the other objects, are
    ///   updated as well.
    func follow(changesRows: Bool = true) {
        let after = Self.destinations(of: object)
        for index in object.runtime.relationshipSlots {
            let slot = object.runtime.slot(at: index)
            guard slot.isToOne, let inverse = InverseMaintenance.inverse(of: slot, object),
                inverse.isToMany || changesRows
            else { continue }
            if before[index] != after[index], let old = known(before[index], slot) { leave(old, inverse) }
            // The destination's members may have been read after another context took the object out.
            if before[index] != after[index] || inverse.isToMany, let new = known(after[index], slot) {
                join(new, inverse)
            }
        }
    }

    /// Takes back additions and removals in to-many relationships, except in those whose members hold the
    /// relationship in their own rows: these members keep their changes, and only the order is taken back.
    func takeBackMembers() {
        for index in object.runtime.relationshipSlots {
            let slot = object.runtime.slot(at: index)
            guard let value = object.side(at: index) as? ToManyValue else { continue }
            if value.isChanged, let inverse = InverseMaintenance.inverse(of: slot, object) {
                if inverse.isToOne, !value.isOrdered {
                    value.refault()
                    continue
                }
                if inverse.isToMany {
                    for member in value.added { leave(member, inverse) }
                    for reference in value.removedReferences {
                        if let member = known(reference, slot) { join(member, inverse) }
                    }
                }
            }
            object.setSide(nil, at: index)
        }
    }

    private func leave(_ other: NSManagedObject, _ inverse: PropertySlot) {
        if inverse.isToMany {
            guard let members = other.side(at: inverse.index) as? ToManyValue else { return }
            members.depart(object)
            noteRefresh(other)
        } else if other.toOne(at: inverse) === object {
            other.unlink(inverse, object)
        }
    }

    private func join(_ other: NSManagedObject, _ inverse: PropertySlot) {
        if inverse.isToMany {
            guard let members = other.side(at: inverse.index) as? ToManyValue, !members.contains(object)
            else { return }
            members.arrive(object)
            noteRefresh(other)
        } else if other.toOne(at: inverse) !== object {
            other.link(inverse, object)
        }
    }

    private func known(_ reference: ObjectReference?, _ slot: PropertySlot) -> NSManagedObject? {
        guard let reference, let relationship = slot.relationship else { return nil }
        let root = object.runtime.model.compiled[relationship.destination].root
        return object.registry?.object(reference, storeIndex: object.storeIndex, root: root)
    }

    private func noteRefresh(_ other: NSManagedObject) {
        guard let context = object.registry?.context else { return }
        context.tracker.noteRefresh(other, in: context)
    }
}
