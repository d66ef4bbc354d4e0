import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import Foundation

/// The unsaved changes that are applied to the result of a fetch: deleted objects are removed, updated ones
/// tested again, inserted ones added.
struct PendingOverlay {
    private let query: FetchQuery
    private let deleted: Set<NSManagedObject>
    private let updated: [NSManagedObject]
    private let inserted: [NSManagedObject]

    /// Collects the changes that a query must respect; nil if no object of its entity has changes.
    ///
    /// A change of an object that the predicate reaches through a relationship counts only for objects that
    /// have changes themselves, as in Apple's framework.
    init?(_ query: FetchQuery, of handles: [StoreHandle], in context: NSManagedObjectContext) {
        guard context.tracker.hasChanges else { return nil }
        let entities = context.requiredCoordinator.frozen.compiled[query.entity]
            .family(includingSubentities: query.includesSubentities)
        let concerned = context.tracker.tracked.filter { object in
            object.isDirty && entities.contains(object.runtime.index)
        }.filter { object in
            handles.count == context.handles.count
                || handles.contains { $0.index == context.handle(keeping: object)?.index }
        }
        guard !concerned.isEmpty else { return nil }
        self.query = query
        deleted = Set(concerned.filter(\.isDeleted))
        updated = concerned.filter { $0.isUpdated && !$0.isDeleted }
        inserted = concerned.filter { $0.isInserted && !$0.isDeleted }
    }

    /// How many of the stored objects may drop out.
    var largestLoss: Int { deleted.count + updated.count }

    /// Returns the fetched objects with the changes on top.
    ///
    /// - Parameters:
    ///   - fetched: The store's objects, in the order of `sort`.
    ///   - isLazy: Whether the objects are read in batches, of which as few as possible are to be read now.
    func apply(
        to fetched: [NSManagedObject], sort: [SortKey], isLazy: Bool
    ) throws -> [NSManagedObject] {
        let changed = Set(updated)
        let kept = fetched.filter { !deleted.contains($0) && !changed.contains($0) }
        let matches = try ObjectSorting.filtered(updated + inserted, by: query.predicate)
        if matches.isEmpty || sort.isEmpty { return kept + matches }
        return isLazy
            ? try ObjectSorting.inserting(matches, into: kept, by: sort)
            : try ObjectSorting.sorted(kept + matches, by: sort)
    }
}
