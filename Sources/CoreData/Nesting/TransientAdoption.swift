import CoreDataModelFormat

/// The adoption, by a parent, of the transient values that a child context saves, which are in no change set.
struct TransientAdoption {
    let parent: NSManagedObjectContext

    func adopt(_ changes: FrozenChanges) {
        for share in changes.shares {
            for object in share.inserted + share.updated {
                for slot in object.runtime.transientAttributes { adopt(slot, of: object) }
            }
        }
    }

    private func adopt(_ slot: PropertySlot, of object: NSManagedObject) {
        let value = object.side(at: slot.index) as? SideValue
        // The default value of a new object is not a change.
        if value === object.runtime.transientDefault(of: slot) { return }
        let own = parent.object(at: parent.address(of: object.reference, storeIndex: object.storeIndex))
        own.fireIfNeeded()
        if own.isDeleted || own.side(at: slot.index) === value { return }
        own.setSide(value, at: slot.index)
        own.noteChange(of: slot.name)
    }
}
