import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The translation of a store's conflicts into the conflict objects of merge policies and errors.
struct ConflictReport {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    /// The objects that are saved.
    private let objects: [ObjectReference: NSManagedObject]

    /// The change count of each store's cache when the save that found the conflicts began.
    private let changeCounts: [Int16: UInt64]

    init(_ context: NSManagedObjectContext, readAt changeCounts: [Int16: UInt64]) {
        self.context = context
        self.changeCounts = changeCounts
        coordinator = context.requiredCoordinator
        objects = Dictionary(
            (Array(context.tracker.tracked) + context.tracker.verifiedAtSave).map { ($0.reference, $0) }
        ) { first, _ in first }
    }

    func mergeConflicts(_ conflicts: [Conflict]) -> [NSMergeConflict] {
        conflicts.compactMap { conflict in
            guard let object = objects[conflict.reference] else { return nil }
            let cache = coordinator.handle(at: object.storeIndex)?.cache
            // Without a cached row, although the object holds an older version, another context of the
            // coordinator had a newer one and has released it.
            let cached = cache?.current(conflict.reference) ?? conflict.persisted
            return NSMergeConflict(
                object, expected: conflict.expectedVersion, cached: cached,
                persisted: conflict.persisted.map { kept($0, in: object.storeIndex) })
        }
    }

    func constraintConflicts(_ violations: [ConstraintViolation]) -> [NSConstraintConflict] {
        violations.map { violation in
            let entity = coordinator.frozen.runtime(violation.entity).compiled
            let claimants = violation.proposed.compactMap { objects[$0] }
            let holder = violation.existing.flatMap { object(of: $0, beside: claimants) }
            return NSConstraintConflict(
                violation.slots.map { entity.slots[$0].name }, holder, row: violation.existing, claimants,
                rows: claimants.map { $0.committed ?? $0.row?.clone() })
        }
    }

    /// Returns the object of a row in the store to which `claimants` are saved.
    private func object(of row: Snapshot, beside claimants: [NSManagedObject]) -> NSManagedObject? {
        guard let first = claimants.first else { return nil }
        let handle =
            first.reference.isTemporary
            ? try? context.storeForInserting(first) : coordinator.handle(at: first.storeIndex)
        return handle.flatMap { context.objects(for: [kept(row, in: $0.index)], handle: $0).first }
    }

    private func kept(_ row: Snapshot, in storeIndex: Int16) -> Snapshot {
        guard let cache = coordinator.handle(at: storeIndex)?.cache else { return row }
        return cache.insert(row, readAt: changeCounts[storeIndex] ?? 0, isLatest: true)
    }
}
