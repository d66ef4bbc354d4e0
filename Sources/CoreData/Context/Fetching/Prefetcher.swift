import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The reader of the destinations of fetched objects: one statement for each key of a path and each store, or
/// two where a store cannot read the members of a to-many and their rows at once.
struct Prefetcher {
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    func prefetch(_ keyPaths: [String], of objects: [NSManagedObject]) throws {
        if keyPaths.isEmpty || objects.isEmpty { return }
        try readRows(of: objects)
        for keyPath in keyPaths {
            var level = objects
            for key in keyPath.split(separator: ".").map(String.init) {
                level = try destinations(of: level, at: key)
                try readRows(of: level)
            }
        }
    }

    // MARK: Rows

    private func readRows(of objects: [NSManagedObject]) throws {
        var missing: [Int16: [ObjectReference]] = [:]
        for object in objects where object.isFault && object.committed == nil {
            missing[object.storeIndex, default: []].append(object.reference)
        }
        for (index, references) in missing {
            guard let handle = context.readHandle(at: index) else { continue }
            let changeCount = handle.cache.changeCount
            do {
                let rows = try handle.backend.snapshots(for: references)
                _ = context.objects(
                    for: context.remember(rows, from: handle, readAt: changeCount), handle: handle)
            } catch { throw error.nsError() }
        }
    }

    // MARK: Members

    private func destinations(of objects: [NSManagedObject], at key: String) throws -> [NSManagedObject] {
        try loadMembers(of: objects, at: key)
        var destinations: [NSManagedObject] = []
        for object in objects { object.appendDestinations(at: slot(of: object, key), to: &destinations) }
        return destinations.distinct
    }

    /// Objects whose members one statement reads: of one store, with the relationship of one entity.
    private struct Owners: Hashable {
        let storeIndex: Int16
        /// The entity that declares the relationship.
        let entity: EntityIndex
        let slot: Int
    }

    private func loadMembers(of objects: [NSManagedObject], at key: String) throws {
        var unread: [Owners: [NSManagedObject]] = [:]
        for object in objects {
            let slot = slot(of: object, key)
            guard slot.isToMany else { continue }
            object.fireIfNeeded()
            guard !object.toManyUnloaded(at: slot).isLoaded else { continue }
            let owners = Owners(
                storeIndex: object.storeIndex, entity: owner(of: slot, object), slot: slot.index)
            unread[owners, default: []].append(object)
        }
        for (owners, objects) in unread {
            guard let handle = context.readHandle(at: owners.storeIndex) else { continue }
            do throws(StoreError) {
                let members = try Members(owners.slot, of: objects.map(\.reference), in: handle, context)
                for object in objects {
                    let slot = slot(of: object, key)
                    context.faultHandler.fill(
                        object.toManyUnloaded(at: slot), at: slot, of: object,
                        with: members.objects(of: object.reference))
                }
            } catch { throw error.nsError() }
        }
    }

    private func slot(of object: NSManagedObject, _ key: String) -> PropertySlot {
        guard let slot = object.runtime.slot(named: key) else {
            programmerError(object.unknownKeyMessage(key))
        }
        guard slot.relationship != nil else {
            programmerError(
                "relationshipKeyPathsForPrefetching: \(object.runtime.name).\(key) is no relationship."
            )
        }
        return slot
    }

    private func owner(of slot: PropertySlot, _ object: NSManagedObject) -> EntityIndex {
        let model = context.requiredCoordinator.frozen.compiled
        var entity = object.runtime.compiled
        while let parent = entity.superentity, model[parent].slot(named: slot.name) != nil {
            entity = model[parent]
        }
        return entity.index
    }
}
