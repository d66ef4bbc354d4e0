public import Foundation
import CoreData

/// Which models to fetch, and in which order.
public struct FetchDescriptor<Model: PersistentModel> {
    /// The condition that models meet; nil for all.
    public var predicate: Predicate<Model>?
    /// The order; without one, or among equals, that of the rows.
    public var sortBy: [SortDescriptor<Model>]
    /// The highest number of models to fetch; nil for all.
    public var fetchLimit: Int?
    /// The number of models to leave out at the beginning.
    public var fetchOffset: Int?
    /// Whether inserted, changed and deleted models that are not saved yet count.
    public var includePendingChanges = true
    /// The relationships whose destinations are read with the models.
    public var relationshipKeyPathsForPrefetching: [PartialKeyPath<Model>] = []
    /// The properties that the caller means to use; empty for all.
    ///
    /// A hint without effect: a row is read as a whole, since its size hardly matters beside the reading.
    public var propertiesToFetch: [PartialKeyPath<Model>] = []

    /// Makes a descriptor of a condition and an order.
    public init(predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }

    /// Returns the request for Core Data.
    ///
    /// - Throws: `SwiftDataError` that names what cannot be asked of a store.
    func request<Result: NSFetchRequestResult>(
        _ kind: NSFetchRequestResultType, of result: Result.Type
    ) throws(SwiftDataError) -> NSFetchRequest<Result> {
        KeyPathProbe.install
        let request = NSFetchRequest<Result>(entityName: Schema.entityName(for: Model.self))
        request.resultType = kind
        if let predicate { request.predicate = try translated(predicate) }
        request.sortDescriptors = try sortBy.map { descriptor throws(SwiftDataError) in
            guard let translated = NSSortDescriptor.translated(descriptor) else {
                let reason = descriptor.keyPath.map { KeyPathNames.reason(of: $0) }
                throw SwiftDataError(.unsupportedSortDescriptor, reason ?? "\(descriptor) has no key path")
            }
            return translated
        }
        request.fetchLimit = fetchLimit ?? 0
        request.fetchOffset = fetchOffset ?? 0
        request.includesPendingChanges = includePendingChanges
        request.relationshipKeyPathsForPrefetching = try relationshipKeyPathsForPrefetching.map {
            keyPath throws(SwiftDataError) in
            guard let name = KeyPathNames.knownName(of: keyPath) else {
                throw SwiftDataError(.unsupportedKeyPath, KeyPathNames.reason(of: keyPath))
            }
            return name
        }
        return request
    }

    private func translated(_ predicate: Predicate<Model>) throws(SwiftDataError) -> NSPredicate {
        do {
            return try NSPredicate.translated(predicate)
        } catch {
            throw SwiftDataError(.unsupportedPredicate, "\(error)")
        }
    }
}
