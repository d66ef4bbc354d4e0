import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// Objects of one entity that one event changed in the same way. A follower decides once for the whole group
/// whether the change concerns it.
struct ChangedObjects {
    enum Change: Hashable {
        /// Only these columns of the row have other values.
        case columns(ColumnMask)
        /// The object was inserted, read anew, or changed in a way that is not known in detail.
        case everything
        case deletion
    }

    let entity: EntityIndex
    let change: Change
    fileprivate(set) var objects: [NSManagedObject] = []
}

/// The sorting of an event's objects into groups.
struct ChangeSorting {
    private struct Key: Hashable {
        let entity: EntityIndex
        let change: ChangedObjects.Change
    }

    private(set) var groups: [ChangedObjects] = []
    private var numbers: [Key: Int] = [:]
    /// The group of the last object. The next object is usually of the same group.
    private var last: Int?

    mutating func add(_ object: NSManagedObject, _ change: ChangedObjects.Change) {
        let number = number(of: Key(entity: object.runtime.index, change: change))
        groups[number].objects.append(object)
        last = number
    }

    private mutating func number(of key: Key) -> Int {
        if let last, groups[last].entity == key.entity, groups[last].change == key.change { return last }
        if let known = numbers[key] { return known }
        numbers[key] = groups.count
        groups.append(ChangedObjects(entity: key.entity, change: key.change))
        return groups.count - 1
    }
}

extension ChangeSorting {
    /// Sorts the objects of the ending event, while their flags still say how they changed.
    ///
    /// - Parameter isKnown: Whether followers saw the objects last as they were when the event began.
    init(ofEvent pending: [NSManagedObject], isKnown: Bool) {
        pending.forEachBorrowed { object in
            switch ChangeGroups.group(of: object) {
            case nil: break
            case .deleted: add(object, .deletion)
            case .inserted, .refreshed: add(object, .everything)
            case .updated: add(object, isKnown ? object.changeInEvent : .everything)
            }
        }
    }
}

extension NSManagedObject {
    /// Returns the change that the ending event made to an updated object.
    fileprivate final var changeInEvent: ChangedObjects.Change {
        // The row before is not the one that the event began with if the object was also read anew.
        guard let row, flags.isDisjoint(with: [.pendingRefresh, .deleted]) else { return .everything }
        if let eventBase { return .columns(row.columns(differingFrom: eventBase)) }
        // Without a row of its own the object was not written to: members of relationships changed, or values
        // that no row holds.
        return flags.contains(.ownsRow) ? .everything : .columns(ColumnMask())
    }
}
