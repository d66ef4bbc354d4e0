import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    /// Returns the objects, IDs, dictionaries or the count that a request asks for, with the unsaved changes
    /// of this context on top unless the request leaves them aside.
    ///
    /// Costs one statement per store, plus those of prefetched relationships. Traps if the results are not of
    /// the request's type.
    ///
    /// Unlike Apple's: what SQL cannot express of the predicate or sort order (closures, comparators,
    /// functions) is tested and sorted in memory, on the objects. Objects are read as whole rows, whatever
    /// `propertiesToFetch` says.
    ///
    /// - Throws: In `NSCocoaErrorDomain`, `NSCoreDataError` (134060) for keys that the model does not have,
    ///   transient properties and what no store can answer; `NSPersistentStoreTimeoutError` (134090) if other
    ///   connections lock a store too long; `NSSQLiteError` (134180) or `CocoaError.fileReadCorruptFile`
    ///   (259) if it cannot be read; whatever a store of an app's own class throws.
    public final func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        // A subclass may override the untyped fetch; without one, no array is boxed on the way.
        guard type(of: self) == NSManagedObjectContext.self else {
            return try typed(fetch(request.untyped), request)
        }
        let result = try fetchResult(request.storage)
        switch result {
        case .objects(let objects):
            if let typed: [T] = Self.downcast(objects) { return typed }
        case .ids(let ids):
            if T.self == NSManagedObjectID.self { return unsafeBitCast(ids, to: [T].self) }
        case .dictionaries, .count:
            break
        }
        return typed(result.boxed, request)
    }

    /// Returns how many results a request would have, with its limit and offset; of dictionaries, how many
    /// groups or distinct ones.
    ///
    /// - Throws: The errors of `fetch(_:)`.
    public final func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        try count(for: request.untyped)
    }

    private final func typed<T>(_ results: [Any], _ request: NSFetchRequest<T>) -> [T] {
        results.map { element in
            guard let typed = element as? T else {
                programmerError(
                    "A fetch of \(request.entityName ?? "?") yields \(type(of: element)), not \(T.self): the class of "
                        + "the entity or the request's resultType does not fit its result type.")
            }
            return typed
        }
    }

    /// Returns the objects as an array of their class without a copy; nil if one is of another class.
    static func downcast<T>(_ objects: [NSManagedObject]) -> [T]? {
        guard T.self is NSManagedObject.Type, objects.areAll({ $0 is T }) else { return nil }
        return unsafeBitCast(objects, to: [T].self)
    }

    // MARK: Results

    enum FetchedObjects {
        case objects([NSManagedObject])
        case ids([NSManagedObjectID])
        case dictionaries([NSDictionary])
        case count(Int)

        /// The number of results; of a count, the count.
        var count: Int {
            switch self {
            case .objects(let objects): objects.count
            case .ids(let ids): ids.count
            case .dictionaries(let dictionaries): dictionaries.count
            case .count(let count): count
            }
        }

        var boxed: [Any] {
            switch self {
            case .objects(let objects): objects
            case .ids(let ids): ids
            case .dictionaries(let dictionaries): dictionaries
            case .count(let count): [NSNumber(value: count)]
            }
        }
    }

    final func fetchResult(_ request: FetchRequestStorage) throws -> FetchedObjects {
        if request.resultType == .countResultType { return .count(try countResults(request)) }
        return try Profiling.recording(.fetch) {
            try answer(request)
        } describe: { event, result in
            describe(request, &event)
            event.count = result?.count
        }
    }

    /// Returns the IDs of what a request asks for, which are settled but not made yet.
    package final func fetchIDs(_ request: NSFetchRequest<NSManagedObjectID>) throws -> FetchedIDs {
        let request = request.storage
        return try Profiling.recording(.fetch) {
            checkQueue("fetch(_:)")
            prepareToAnswer(request)
            return try FetchRunner(self, request, query(request, .references)).spooledIDs()
        } describe: { event, result in
            describe(request, &event)
            event.count = result?.count
        }
    }

    final func countResults(_ request: FetchRequestStorage) throws -> Int {
        try Profiling.recording(.count) {
            try count(request)
        } describe: { event, _ in
            describe(request, &event)
        }
    }

    private final func describe(_ request: FetchRequestStorage, _ event: inout ProfileEvent) {
        event.note(self)
        event.entity = request.resolvedEntityName
        if let stores = request.affectedStores {
            event.mark = stores.count == 1 ? StoreMark(stores[0]) : nil
            event.note(stores)
        }
        if Profiling.isDetailed { event.detail = request.printed }
    }

    private final func answer(_ request: FetchRequestStorage) throws -> FetchedObjects {
        checkQueue("fetch(_:)")
        prepareToAnswer(request)
        switch request.resultType {
        case .dictionaryResultType:
            return .dictionaries(try FetchRunner(self, request, query(request)).dictionaries())
        case .managedObjectIDResultType:
            return .ids(try FetchRunner(self, request, query(request, .references)).ids())
        default:
            let isWhole = request.includesPropertyValues && request.fetchBatchSize == 0
            let query = try self.query(request, isWhole ? .rows : .references)
            return .objects(try FetchRunner(self, request, query).prefetchedObjects())
        }
    }

    private final func count(_ request: FetchRequestStorage) throws -> Int {
        checkQueue("count(for:)")
        prepareToAnswer(request)
        guard request.resultType == .dictionaryResultType else {
            return try FetchRunner(self, request, query(request, .count)).count()
        }
        return try FetchRunner(self, request, query(request)).dictionaryCount()
    }

    /// Prepares an answer: takes over permanent references and applies delete rules.
    ///
    /// Observers are told of changes when their event is over, not now.
    private final func prepareToAnswer(_ request: FetchRequestStorage) {
        adoptPermanentReferences()
        if request.includesPendingChanges { applyDeleteRules() }
    }

    private final func query(_ request: FetchRequestStorage, _ shape: ResultShape? = nil) throws -> FetchQuery
    {
        let coordinator = requiredCoordinator
        return try request.query(in: coordinator.frozen, asking: coordinator, shape: shape)
    }
}
