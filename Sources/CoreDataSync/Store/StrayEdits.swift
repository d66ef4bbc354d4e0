internal import CoreData
internal import CoreDataSyncCore
internal import Foundation
internal import Synchronization

/// What the app's code did while an import was saved, beyond the import: `prepareForDeletion()` has deleted another
/// object, or `willSave()` has changed one.
///
/// These are edits as any other. The history does not tell of them, since it names the import as their author.
struct StrayEdits {
    private let reader: StoreReader
    private let rows: [NSManagedObjectID: ImportPlan.Row]
    private let ids: [NSManagedObjectID: SyncID]
    private let ledger: TrackedLedger

    /// - Parameter objects: The objects of the plan.
    init(
        _ reader: StoreReader, _ plan: ImportPlan, _ objects: [SyncID: NSManagedObjectID],
        _ ledger: TrackedLedger
    ) {
        self.reader = reader
        self.ledger = ledger
        rows = Dictionary(plan.rows.compactMap { row in objects[row.id].map { ($0, row) } }) { $1 }
        ids = Dictionary(objects.map { ($0.value, $0.key) }) { $1 }
    }

    /// Returns the objects that have something else than the import has written, or than the ledger knows.
    func objects(among saved: SavedObjects, in context: NSManagedObjectContext) throws -> Set<LocalKey> {
        let gone = saved.deleted.filter { rows[$0].map { !$0.isDeleted } ?? true }
        let edited = try saved.changed.filter { id in
            guard let object = context.registeredObject(for: id),
                let entity = reader.binding.entity(named: id.entity.name)
            else { return false }
            return try isEdited(object, entity)
        }
        return Set(gone.union(edited).compactMap { reader.binding.local($0) })
    }

    private func isEdited(_ object: NSManagedObject, _ entity: EntityBinding) throws -> Bool {
        let row = rows[object.objectID]
        // The ledger cannot know an object that the import makes.
        let isMade = row != nil && row?.local == nil
        let known = isMade ? nil : reader.binding.local(object.objectID).flatMap { ledger.id(of: $0) }
        guard row != nil || known != nil else { return true }
        let entry = known.flatMap { ledger.entry(.object($0)) }
        return try entity.registers.contains { register in
            if row != nil {
                // Values of the import were set back.
                guard case .reference = register.place else { return false }
            }
            let expected =
                row?.values[register.name]?.value.stableHash ?? entry?.registers[register.name]?.shown
                ?? SyncValue.null.stableHash
            return try present(register, object)?.stableHash != expected
        }
    }

    /// Returns the value of a register; nil if it leads to an object that has no name yet.
    private func present(_ register: EntityBinding.Register, _ object: NSManagedObject) throws -> SyncValue? {
        switch try reader.value(of: register, object) {
        case nil: .null
        case .plain(let value): value
        case .object(let local): id(local).map { .reference($0) }
        }
    }

    private func id(_ local: LocalKey) -> SyncID? {
        reader.binding.objectID(local, in: reader.access).flatMap { ids[$0] } ?? ledger.id(of: local)
    }
}

/// The objects of a save.
struct SavedObjects: Sendable {
    var changed: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
}

extension NSManagedObjectContext {
    /// Saves, and returns what was saved: also what the app's code has changed meanwhile.
    func saveListing() throws -> SavedObjects {
        let box = SavedObjectsBox()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: self, queue: nil
        ) { note in
            func ids(_ key: String) -> Set<NSManagedObjectID> {
                Set((note.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID))
            }
            let changed = ids(NSInsertedObjectsKey).union(ids(NSUpdatedObjectsKey))
            let saved = SavedObjects(changed: changed, deleted: ids(NSDeletedObjectsKey))
            box.saved.withLock { $0 = saved }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try save()
        return box.saved.withLock { $0 }
    }
}

private final class SavedObjectsBox: Sendable {
    let saved = Mutex(SavedObjects())
}
