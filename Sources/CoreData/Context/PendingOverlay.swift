import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import Foundation

/// Unsaved changes on top of a fetch: deleted objects go, updated ones are tested again, inserted ones come in.
struct PendingOverlay {
    private let query: FetchQuery
    private let deleted: Set<NSManagedObject>
    private let updated: [NSManagedObject]
    private let inserted: [NSManagedObject]

    /// Nil when no object of the query's entity has changes. Changes of objects that a predicate leads to are seen
    /// only by objects with changes of their own, as in Apple's framework.
    init?(_ query: FetchQuery, in context: NSManagedObjectContext) {
        guard context.tracker.hasChanges else { return nil }
        let entity = context.requiredCoordinator.frozen.compiled[query.entity]
        let concerned = context.tracker.tracked.filter { object in
            guard object.isDirty else { return false }
            let index = object.runtime.compiled.index
            return query.includesSubentities ? entity.includes(index) : index == query.entity
        }
        guard !concerned.isEmpty else { return nil }
        self.query = query
        deleted = Set(concerned.filter(\.isDeleted))
        updated = concerned.filter { $0.isUpdated && !$0.isDeleted }
        inserted = concerned.filter { $0.isInserted && !$0.isDeleted }
    }

    func apply(to fetched: [NSManagedObject]) throws -> [NSManagedObject] {
        var result = fetched.filter { !deleted.contains($0) }
        guard !updated.isEmpty || !inserted.isEmpty else { return result }
        let changed = Set(updated)
        result.removeAll { changed.contains($0) }
        result += try ObjectSorting.filtered(updated + inserted, by: query.predicate)
        return query.sort.isEmpty ? result : try ObjectSorting.sorted(result, by: query.sort)
    }
}
