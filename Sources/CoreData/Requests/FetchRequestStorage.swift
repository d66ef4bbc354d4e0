import Foundation

/// The settings of a fetch request, whatever its result type.
///
/// `NSFetchRequest<A>` and `NSFetchRequest<B>` share them if one was made from the other by `retyped`.
final class FetchRequestStorage {
    var entity: NSEntityDescription?
    var entityName: String?
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor]?
    var fetchLimit = 0
    var fetchOffset = 0
    var fetchBatchSize = 0
    var affectedStores: [NSPersistentStore]?
    var resultType = NSFetchRequestResultType.managedObjectResultType
    var includesSubentities = true
    var includesPropertyValues = true
    var includesPendingChanges = true
    var returnsObjectsAsFaults = true
    var returnsDistinctResults = false
    var shouldRefreshRefetchedObjects = false
    var relationshipKeyPathsForPrefetching: [String]?
    var propertiesToFetch: [Any]?
    var propertiesToGroupBy: [Any]?
    var havingPredicate: NSPredicate?
    /// Whether the request is a template of a model in use, which cannot be changed.
    var isFrozen = false

    init() {}

    /// Makes a copy that can be changed.
    init(_ other: FetchRequestStorage) {
        entity = other.entity
        entityName = other.entityName
        predicate = other.predicate
        sortDescriptors = other.sortDescriptors
        fetchLimit = other.fetchLimit
        fetchOffset = other.fetchOffset
        fetchBatchSize = other.fetchBatchSize
        affectedStores = other.affectedStores
        resultType = other.resultType
        includesSubentities = other.includesSubentities
        includesPropertyValues = other.includesPropertyValues
        includesPendingChanges = other.includesPendingChanges
        returnsObjectsAsFaults = other.returnsObjectsAsFaults
        returnsDistinctResults = other.returnsDistinctResults
        shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
        relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
        propertiesToFetch = other.propertiesToFetch
        propertiesToGroupBy = other.propertiesToGroupBy
        havingPredicate = other.havingPredicate
    }

    /// The name of the entity, also for a request that has only the name.
    var resolvedEntityName: String? { entity?.name ?? entityName }

    /// Returns whether all settings are equal, except the affected stores.
    func isEqual(to other: FetchRequestStorage) -> Bool {
        self === other
            || resolvedEntityName == other.resolvedEntityName
                && predicate.map(ModelText.text) == other.predicate.map(ModelText.text)
                && sortDescriptors == other.sortDescriptors
                && fetchLimit == other.fetchLimit
                && fetchOffset == other.fetchOffset
                && fetchBatchSize == other.fetchBatchSize
                && resultType == other.resultType
                && includesSubentities == other.includesSubentities
                && includesPropertyValues == other.includesPropertyValues
                && includesPendingChanges == other.includesPendingChanges
                && returnsObjectsAsFaults == other.returnsObjectsAsFaults
                && returnsDistinctResults == other.returnsDistinctResults
                && relationshipKeyPathsForPrefetching == other.relationshipKeyPathsForPrefetching
                && havingPredicate.map(ModelText.text) == other.havingPredicate.map(ModelText.text)
                && (propertiesToFetch ?? []) as NSArray == (other.propertiesToFetch ?? []) as NSArray
                && (propertiesToGroupBy ?? []) as NSArray == (other.propertiesToGroupBy ?? []) as NSArray
    }
}
