import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The resolution of conflicts over unique values: which object keeps them, and what becomes of the others.
///
/// The object that has a row keeps it, with its key and its object ID: an insertion becomes an update.
/// Inserted objects that want the same values are merged into it as the policy says and leave the context;
/// references to them lead to the keeper from then on.
struct ConstraintResolver {
    private let policy: NSMergePolicyType
    /// Objects that were merged into others.
    private var keepers: [ObjectReference: NSManagedObject] = [:]

    init(_ policy: NSMergePolicyType) {
        self.policy = policy
    }

    mutating func resolve(_ conflicts: [NSConstraintConflict]) {
        for conflict in conflicts { resolve(conflict) }
        redirect()
    }

    private mutating func resolve(_ conflict: NSConstraintConflict) {
        // An earlier conflict may have resolved this one; if not, the next attempt to save meets it again.
        let claimants = conflict.conflictingObjects.filter { !$0.isDeleted && $0.registry != nil }
        guard !claimants.isEmpty, conflict.databaseObject?.isDeleted != true,
            var keeper = conflict.databaseObject ?? claimants.first(where: { !$0.isInserted })
                ?? claimants.first
        else { return }
        keeper.fireIfNeeded()
        for object in claimants where object !== keeper {
            if object.isInserted {
                merge(object, into: keeper)
                discard(object, for: keeper)
            } else if policy == .overwriteMergePolicyType
                || policy == .mergeByPropertyObjectTrumpMergePolicyType
            {
                moveMembers(of: keeper, to: object)
                keeper.registry?.context?.delete(keeper)
                keeper = object
            } else {
                withdraw(conflict.constraint, of: object)
            }
        }
        if policy == .rollbackMergePolicyType, conflict.databaseObject == nil, !keeper.isInserted {
            withdraw(conflict.constraint, of: keeper)
        }
        keeper.awake(fromSnapshotEvents: .mergePolicy)
    }

    // MARK: Values

    private func merge(_ object: NSManagedObject, into keeper: NSManagedObject) {
        let isSameEntity = object.runtime === keeper.runtime
        for slot in object.runtime.slots {
            guard let own = isSameEntity ? slot : keeper.runtime.slot(named: slot.name) else { continue }
            if slot.isToMany {
                continue
            } else if slot.isToOne {
                let destination = object.toOne(at: slot)
                if takes(destination != nil, over: keeper.toOne(at: own) != nil) {
                    keeper.setToOne(destination, at: own)
                }
            } else if isSameEntity, let column = slot.column, slot.attribute?.type != .transformable {
                copy(column, of: object, into: keeper)
            } else if slot.attribute != nil {
                let value = object.primitive(at: slot)
                guard takes(value != nil, over: keeper.primitive(at: own) != nil) else { continue }
                keeper.setPrimitive(value, at: own)
                keeper.noteChange()
            }
        }
        moveMembers(of: object, to: keeper)
    }

    /// Copies a column between two rows of one layout, if the policy says so.
    private func copy(_ column: Int, of object: NSManagedObject, into keeper: NSManagedObject) {
        guard let row = object.row, let stored = keeper.row,
            takes(!row.isNull(column), over: !stored.isNull(column))
        else { return }
        keeper.ownRow().copyColumn(column, from: row)
        keeper.noteChange()
    }

    /// Returns whether a new object's value replaces the one of the row.
    ///
    /// A value that was not set changes nothing, except when the row is overwritten.
    private func takes(_ isSet: Bool, over isStored: @autoclosure () -> Bool) -> Bool {
        switch policy {
        case .overwriteMergePolicyType: true
        case .mergeByPropertyObjectTrumpMergePolicyType: isSet
        case .mergeByPropertyStoreTrumpMergePolicyType: isSet && !isStored()
        case .rollbackMergePolicyType, .errorMergePolicyType: false
        }
    }

    /// Gives the members of to-many relationships to the keeper as well.
    ///
    /// Even when an object's own state is given up, objects that refer to it keep a destination.
    private func moveMembers(of object: NSManagedObject, to keeper: NSManagedObject) {
        for index in object.runtime.relationshipSlots {
            let slot = object.runtime.slot(at: index)
            guard slot.isToMany, let own = keeper.runtime.slot(named: slot.name), own.isToMany else {
                continue
            }
            let isStateOfMembers = InverseMaintenance.inverse(of: slot, object)?.isToOne ?? false
            guard policy != .rollbackMergePolicyType || isStateOfMembers else { continue }
            for member in object.toMany(at: slot).array where !member.isDeleted {
                keeper.insertMember(member, at: own)
            }
        }
    }

    // MARK: Objects

    /// Takes an inserted object out of its context and out of every relationship.
    private mutating func discard(_ object: NSManagedObject, for keeper: NSManagedObject) {
        guard let context = object.registry?.context else { return }
        for index in object.runtime.relationshipSlots {
            let slot = object.runtime.slot(at: index)
            for destination in object.destinations(at: slot) {
                InverseMaintenance.disconnect(object, slot, destination)
            }
        }
        keepers[object.reference] = keeper
        // Its delete rules do not apply: the object lives on in the keeper.
        object.flags.insert(.propagated)
        context.tracker.noteDelete(object, in: context)
    }

    /// Restores stored values: the unique ones, or all of them if the object's changes are given up.
    private func withdraw(_ names: [String], of object: NSManagedObject) {
        guard let committed = object.committed, let context = object.registry?.context else { return }
        if policy == .rollbackMergePolicyType { return object.giveUpChanges(for: committed) }
        for slot in names.compactMap(object.runtime.slot) {
            guard let column = slot.column else { continue }
            if slot.isToOne {
                let destination = committed.toOne(column)
                    .map { context.object(for: $0, storeIndex: object.storeIndex) }
                object.setToOne(destination, at: slot)
            } else {
                object.ownRow().copyColumn(column, from: committed)
                object.setSide(nil, at: slot.index)
            }
        }
    }

    /// Redirects relationships without inverse to the keepers, by looking through all changed objects.
    private func redirect() {
        guard let context = keepers.first?.value.registry?.context else { return }
        for object in context.tracker.tracked where object.isDirty && !object.isDeleted {
            for index in object.runtime.relationshipSlots {
                let slot = object.runtime.slot(at: index)
                guard InverseMaintenance.inverse(of: slot, object) == nil else { continue }
                for destination in object.destinations(at: slot) {
                    guard let keeper = keepers[destination.reference] else { continue }
                    InverseMaintenance.disconnect(object, slot, destination)
                    InverseMaintenance.connect(object, slot, keeper, index: nil)
                }
            }
        }
    }
}
