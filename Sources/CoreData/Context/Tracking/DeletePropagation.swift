import CoreDataModelFormat

/// The application of delete rules, walking from the objects that were deleted.
///
/// Cascade deletes the destinations; nullify removes the object from the other side; validation checks deny
/// when the context saves.
enum DeletePropagation {
    static func run(_ deleted: [NSManagedObject], in context: NSManagedObjectContext) {
        var queue = deleted
        var position = 0
        var read = 0
        while position < queue.count {
            if position == read {
                readAhead(queue[read...], in: context)
                read = queue.count
            }
            let object = queue[position]
            position += 1
            guard !object.flags.contains(.propagated) else { continue }
            object.flags.insert(.propagated)
            for index in object.runtime.relationshipSlots {
                let slot = object.runtime.slot(at: index)
                guard let relationship = slot.relationship else { continue }
                switch relationship.deleteRule {
                case .cascade:
                    for destination in object.destinations(at: slot) where !destination.isDeleted {
                        context.tracker.noteDelete(destination, in: context)
                        destination.prepareForDeletion()
                        queue.append(destination)
                    }
                    leave(object, slot)
                case .nullify:
                    leave(object, slot)
                case .deny, .noAction:
                    break
                }
            }
        }
    }

    /// Reads the relationships that the rules are about to follow, for all waiting objects at once.
    ///
    /// A relationship that cannot be read now is read, or its failure reported, when its rule is followed.
    private static func readAhead(_ objects: ArraySlice<NSManagedObject>, in context: NSManagedObjectContext)
    {
        guard objects.count > 1 else { return }
        let waiting = objects.filter {
            $0.flags.isDisjoint(with: [.propagated, .inaccessible]) && !$0.runtime.relationshipSlots.isEmpty
        }
        for objects in Dictionary(grouping: waiting, by: { $0.runtime.index }).values {
            let runtime = objects[0].runtime
            let keys = runtime.relationshipSlots.map { runtime.slot(at: $0) }.filter {
                !$0.isTransient && [.cascade, .nullify].contains($0.relationship?.deleteRule)
            }
            try? Prefetcher(context).prefetch(keys.map(\.name), of: objects)
        }
    }

    /// Takes the object out of the relationship's other side; its own side stays readable.
    private static func leave(_ object: NSManagedObject, _ slot: PropertySlot) {
        guard let inverse = InverseMaintenance.inverse(of: slot, object) else { return }
        for destination in object.destinations(at: slot) where !destination.isDeleted {
            if inverse.isToOne, destination.toOne(at: inverse) !== object { continue }
            destination.unlink(inverse, object)
        }
    }
}
