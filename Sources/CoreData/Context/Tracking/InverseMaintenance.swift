import CoreDataModelFormat

/// The maintenance of a relationship's inverse: both sides change together.
///
/// A side that is to-one gives up the object it had; a to-many that is not loaded is not read.
enum InverseMaintenance {
    static func replace(
        _ source: NSManagedObject, _ slot: PropertySlot, _ old: NSManagedObject?, with new: NSManagedObject?
    ) {
        if let new {
            connect(source, slot, new, index: nil)
        } else if let old {
            disconnect(source, slot, old)
        }
    }

    static func connect(
        _ source: NSManagedObject, _ slot: PropertySlot, _ destination: NSManagedObject, index: Int?
    ) {
        if slot.isToOne, let old = source.toOne(at: slot), old !== destination {
            disconnect(source, slot, old)
        }
        let inverse = inverse(of: slot, source)
        if let inverse, inverse.isToOne, let other = destination.toOne(at: inverse), other !== source {
            disconnect(other, slot, destination)
        }
        source.link(slot, destination, index: index)
        if let inverse, !(source === destination && inverse.index == slot.index) {
            destination.link(inverse, source)
        }
    }

    static func disconnect(_ source: NSManagedObject, _ slot: PropertySlot, _ destination: NSManagedObject) {
        source.unlink(slot, destination)
        if let inverse = inverse(of: slot, source), !(source === destination && inverse.index == slot.index) {
            destination.unlink(inverse, source)
        }
    }

    static func inverse(of slot: PropertySlot, _ source: NSManagedObject) -> PropertySlot? {
        slot.relationship.flatMap { source.runtime.model.compiled.inverse(of: $0) }
    }
}
