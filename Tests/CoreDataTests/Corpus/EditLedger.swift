import CoreData
import Foundation

/// The objects that the saves of a context changed, by its notifications, which may therefore differ in the
/// file.
final class EditLedger: @unchecked Sendable {
    private(set) var saves = 0
    private(set) var inserted: Set<NSManagedObjectID> = []
    private(set) var deleted: Set<NSManagedObjectID> = []
    /// The changed properties of objects that existed before the save.
    private(set) var changed: [NSManagedObjectID: Set<String>] = [:]
    /// The changed properties of the save that is about to happen.
    private var pending: [NSManagedObjectID: Set<String>] = [:]
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext) {
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(forName: .NSManagedObjectContextWillSave, object: context, queue: nil) {
                [unowned self] note in
                let updated = (note.object as? NSManagedObjectContext)?.updatedObjects ?? []
                pending = Dictionary(
                    uniqueKeysWithValues: updated.map { ($0.objectID, Set($0.changedValues().keys)) })
            },
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) {
                [unowned self] note in
                add(Self.ids(note, NSInsertedObjectsKey), Self.ids(note, NSDeletedObjectsKey))
            },
        ]
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    /// Records a save; one that finds every value unchanged does nothing.
    private func add(_ inserted: [NSManagedObjectID], _ deleted: [NSManagedObjectID]) {
        let changed = pending.filter { !$1.isEmpty }
        pending = [:]
        if inserted.isEmpty, deleted.isEmpty, changed.isEmpty { return }
        saves += 1
        self.inserted.formUnion(inserted)
        self.deleted.formUnion(deleted)
        self.changed.merge(changed) { $0.union($1) }
    }

    private static func ids(_ note: Notification, _ key: String) -> [NSManagedObjectID] {
        (note.userInfo?[key] as? Set<NSManagedObject>)?.map(\.objectID) ?? []
    }

    /// Returns the keys of an entity's objects, with those of its ancestors and subentities.
    static func keys(_ ids: some Sequence<NSManagedObjectID>, in table: String, of store: PlainStore) -> Set<
        Int64
    > {
        Set(ids.filter { store.table(of: $0.entity) == table }.map(StoreComparison.key))
    }

    /// All objects that the saves inserted, changed or deleted.
    var touched: Set<NSManagedObjectID> { inserted.union(deleted).union(changed.keys) }

    /// Returns the columns of each table that a property's change may affect: by key, or under nil in all
    /// rows.
    func columns(of store: PlainStore) -> [String: [Int64?: Set<String>]] {
        var result: [String: [Int64?: Set<String>]] = [:]
        func allow(_ columns: some Sequence<String>, _ table: String, _ key: Int64?) {
            result[table, default: [:]][key, default: []].formUnion(columns)
        }
        for (id, names) in changed {
            let (table, key) = (store.table(of: id.entity), StoreComparison.key(of: id))
            allow(["Z_OPT"], table, key)
            for name in names {
                if let column = store.column(name, of: id.entity) {
                    allow(store.companions(of: column, in: table), table, key)
                }
                guard let relationship = id.entity.relationshipsByName[name], relationship.isToMany,
                    let destination = relationship.destinationEntity
                else { continue }
                // Members move when others are added or removed.
                let other = store.table(of: destination)
                if let column = store.memberColumn(of: relationship, name, from: id.entity) {
                    let isOwn = relationship.inverseRelationship == nil
                    allow(["Z_FOK_" + column.dropFirst()] + (isOwn ? [column, "Z_OPT"] : []), other, nil)
                }
            }
        }
        return result
    }
}
