import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The changes of a context as values: one change set per store.
///
/// While a store commits them no code of the app runs, except that of a store of the app's own class.
struct FrozenChanges {
    /// The changes that concern one store.
    struct Share {
        let store: Int16
        /// Nil if objects changed, but none of their values is to be written.
        let set: ChangeSet?
        /// The objects behind the set.
        let inserted: [NSManagedObject]
        let updated: [NSManagedObject]
        let deleted: [NSManagedObject]
        /// The objects of `updated` whose rows are written, in the order of the set.
        let rewritten: [NSManagedObject]

        var objects: [NSManagedObject] { inserted + updated + deleted }
    }

    /// The changes by store. Objects in no store yet, with the index -1, come last, as they may refer to
    /// inserted ones.
    let shares: [Share]

    init(_ context: NSManagedObjectContext) throws {
        let tracked = context.tracker.tracked
        var drafts = ShareDrafts(of: tracked)
        // The last store is remembered: objects of one entity mostly follow one another, and go to one store
        // unless some were assigned.
        var last: (entity: EntityIndex, store: Int16)?
        var index = 0
        try tracked.forEachBorrowed { object in
            defer { index += 1 }
            guard object.isDirty else { return }
            if object.isDeleted {
                if !object.isInserted { drafts.with(object.storeIndex) { $0.delete(object, index) } }
            } else if object.isInserted {
                let entity = object.runtime.index
                if last?.entity != entity || !context.assignedStores.isEmpty {
                    last = (entity, try context.storeForInserting(object).index)
                    object.refuseToBeAbstract()
                }
                if let last { drafts.with(last.store) { $0.insert(object, index) } }
            } else {
                drafts.with(object.storeIndex) { $0.update(object, index) }
            }
        }
        for object in context.tracker.verifiedAtSave {
            guard let committed = object.committed else { continue }
            drafts.with(object.storeIndex) { $0.expect(object, committed.version) }
        }
        let shares = drafts.touched.map { Share($0, in: context) }
        self.shares =
            shares.count > 1
            ? shares.sorted { UInt16(bitPattern: $0.store) < UInt16(bitPattern: $1.store) } : shares
    }
}

extension FrozenChanges.Share {
    fileprivate init(_ draft: ShareDraft, in context: NSManagedObjectContext) {
        store = draft.store
        var changes = draft.changes
        changes.author = context.transactionAuthor
        changes.contextName = context.name
        set = draft.isWritten ? changes : nil
        inserted = draft.inserted.objects
        updated = draft.updated.objects
        deleted = draft.deleted.objects
        rewritten = draft.rewritten.objects
    }
}

/// The shares of a save that is being frozen, by store; there are few.
private struct ShareDrafts {
    private let tracked: [NSManagedObject]
    private var drafts: [ShareDraft] = []
    /// The index of the share that was used last, which the next object mostly belongs to as well.
    private var current = 0

    init(of tracked: [NSManagedObject]) {
        self.tracked = tracked
    }

    mutating func with(_ store: Int16, _ body: (inout ShareDraft) -> Void) {
        if current >= drafts.count || drafts[current].store != store { turn(to: store) }
        body(&drafts[current])
    }

    private mutating func turn(to store: Int16) {
        current = drafts.firstIndex { $0.store == store } ?? drafts.count
        if current == drafts.count { drafts.append(ShareDraft(store: store, tracked)) }
    }

    var touched: [ShareDraft] { drafts.allSatisfy(\.isTouched) ? drafts : drafts.filter(\.isTouched) }
}

/// The changes that concern one store, while they are put together.
private struct ShareDraft {
    let store: Int16
    private let count: Int
    private(set) var changes = ChangeSet()
    /// Whether a row is to be written or verified. `isTouched` is true also if an object changed without a
    /// value to write.
    private(set) var isWritten = false
    private(set) var isTouched = false
    private(set) var inserted: Selection
    private(set) var updated: Selection
    private(set) var deleted: Selection
    private(set) var rewritten: Selection

    init(store: Int16, _ tracked: [NSManagedObject]) {
        self.store = store
        count = tracked.count
        let none = Selection(from: tracked)
        (inserted, updated, deleted, rewritten) = (none, none, none, none)
    }

    private mutating func beginWriting() { (isTouched, isWritten) = (true, true) }

    mutating func expect(_ object: NSManagedObject, _ version: Int64) {
        beginWriting()
        changes.expected.append(RowExpectation(object.reference, version: version))
    }

    mutating func insert(_ object: NSManagedObject, _ index: Int) {
        guard let row = object.row.map(Unmanaged.passUnretained) else { return }
        assert(row.withBorrowed(\.key) == object.reference.key)
        beginWriting()
        inserted.take(index)
        addLinks(of: object)
        if changes.inserted.isEmpty { changes.inserted.reserveCapacity(count) }
        changes.inserted.append(borrowed: row, object.reference)
    }

    mutating func update(_ object: NSManagedObject, _ index: Int) {
        guard let committed = object.committed.map(Unmanaged.passUnretained),
            let row = object.row.map(Unmanaged.passUnretained)
        else { return }
        let changed = committed.withBorrowed { committed in
            row.withBorrowed { $0 === committed ? ColumnMask() : $0.columns(differingFrom: committed) }
        }
        var links: [Int] = []
        if !object.side.isEmpty {
            links = object.side.indices.filter { (object.side[$0] as? ToManyValue)?.isChanged ?? false }
        }
        isTouched = true
        updated.take(index)
        guard !changed.isEmpty || !links.isEmpty else { return }
        for column in object.runtime.compiled.polymorphicColumns where changed.contains(column) {
            func entity(_ row: Snapshot) -> EntityIndex? { row.toOne(column)?.entity }
            if committed.withBorrowed(entity) != row.withBorrowed(entity) {
                links.append(object.runtime.columns[column].index)
            }
        }
        beginWriting()
        rewritten.take(index)
        addLinks(of: object)
        if changes.updated.isEmpty { changes.updated.reserveCapacity(count) }
        changes.updated.append(
            RowUpdate(
                object.reference, version: committed.withBorrowed(\.version), borrowed: row, changed: changed,
                changedLinks: links))
    }

    mutating func delete(_ object: NSManagedObject, _ index: Int) {
        isTouched = true
        deleted.take(index)
        // The row is gone from the store.
        guard !object.flags.contains(.inaccessible) else { return }
        beginWriting()
        changes.deleted.append(
            RowDeletion(
                reference: object.reference, version: object.committed?.version, committed: object.committed))
        for index in object.runtime.relationshipSlots where Self.storesMembers(object, index) {
            let before = object.toMany(at: object.runtime.slot(at: index)).committed ?? []
            guard !before.isEmpty else { continue }
            changes.links.append(
                LinkChange(owner: object.reference, slot: index, before: before, after: []))
        }
    }

    private mutating func addLinks(of object: NSManagedObject) {
        guard !object.side.isEmpty else { return }
        for index in object.runtime.relationshipSlots {
            guard let value = object.side(at: index) as? ToManyValue, value.isChanged,
                Self.storesMembers(object, index) || value.isOrdered
            else { continue }
            // Unordered members are described by those added and removed, so the others need not be read.
            let before =
                value.isLoaded || value.isOrdered
                ? object.toMany(at: object.runtime.slot(at: index)).committed ?? []
                : value.removedReferences.sorted { $0.key < $1.key }
            changes.links.append(
                LinkChange(
                    owner: object.reference, slot: index, before: before,
                    after: value.array.filter { !$0.isDeleted && $0.registry != nil }.map(\.reference)))
        }
    }

    /// Returns whether the members of a to-many are stored in a table of their own, not in the destinations'
    /// rows.
    private static func storesMembers(_ object: NSManagedObject, _ index: Int) -> Bool {
        let slot = object.runtime.slot(at: index)
        guard let relationship = slot.relationship, relationship.isToMany, !slot.isTransient else {
            return false
        }
        guard let inverse = object.runtime.model.compiled.inverse(of: relationship) else { return true }
        return inverse.isToMany
    }
}

extension NSManagedObject {
    fileprivate final func refuseToBeAbstract() {
        guard runtime.compiled.isAbstract else { return }
        programmerError(
            "Cannot save an object of the abstract entity \(runtime.name): insert one of its subentities."
        )
    }
}
