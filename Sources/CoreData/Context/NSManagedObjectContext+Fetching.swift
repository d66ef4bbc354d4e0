import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    /// The objects, IDs, dictionaries or the count a request asks for, unsaved changes of this context included.
    public final func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        // A subclass may override the untyped fetch; where none can have, no array is boxed on the way.
        guard type(of: self) == NSManagedObjectContext.self else {
            return try typed(fetch(request.untyped), request)
        }
        let result = try fetchResult(request.storage)
        if case .objects(let objects) = result, let typed: [T] = Self.downcast(objects) { return typed }
        return typed(result.boxed, request)
    }

    /// How many results the request would have.
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

    /// One check a class instead of one cast an object.
    private static func downcast<T>(_ objects: [NSManagedObject]) -> [T]? {
        guard let wanted = T.self as? NSManagedObject.Type else { return nil }
        if wanted != NSManagedObject.self {
            var last: EntityRuntime?
            for object in objects where object.runtime !== last {
                guard object is T else { return nil }
                last = object.runtime
            }
        }
        return unsafeBitCast(objects, to: [T].self)
    }

    // MARK: Results

    enum FetchedObjects {
        case objects([NSManagedObject])
        case ids([NSManagedObjectID])
        case dictionaries([NSDictionary])
        case count(Int)

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
        let frozen = requiredCoordinator.frozen
        processPendingChanges()
        switch request.resultType {
        case .countResultType:
            return .count(try countResults(request))
        case .dictionaryResultType:
            return .dictionaries(try dictionaries(request, try request.query(in: frozen)))
        case .managedObjectIDResultType:
            let query = try request.query(in: frozen, shape: .references)
            if overlay(request, query) != nil {
                return .ids(try objects(request, query).map(\.objectID))
            }
            return .ids(try ids(request, query))
        default:
            let isBatched = request.fetchBatchSize > 0
            let shape: ResultShape = request.includesPropertyValues && !isBatched ? .rows : .references
            return .objects(try objects(request, try request.query(in: frozen, shape: shape)))
        }
    }

    private final func overlay(_ request: FetchRequestStorage, _ query: FetchQuery) -> PendingOverlay? {
        request.includesPendingChanges ? PendingOverlay(query, in: self) : nil
    }

    private final func handles(_ request: FetchRequestStorage, _ query: FetchQuery) throws -> [StoreHandle] {
        let handles = requiredCoordinator.handles.filter { handle in
            handle.holds(query.entity)
                && request.affectedStores.map { $0.contains { $0 === handle.store } } ?? true
        }
        return handles
    }

    // MARK: Objects

    private final func objects(_ request: FetchRequestStorage, _ query: FetchQuery) throws
        -> [NSManagedObject]
    {
        let handles = try handles(request, query)
        let overlay = overlay(request, query)
        var stored = query
        if overlay != nil || handles.count > 1 { (stored.limit, stored.offset) = (0, 0) }
        var objects: [NSManagedObject] = []
        for handle in handles { objects += try run(stored, request, in: handle) }
        if let overlay {
            objects = try overlay.apply(to: objects)
        } else if handles.count > 1, !query.sort.isEmpty {
            objects = try ObjectSorting.sorted(objects, by: query.sort)
        }
        if stored != query { objects = query.window(objects) }
        if let keyPaths = request.relationshipKeyPathsForPrefetching {
            try Prefetcher(self).prefetch(keyPaths, of: objects)
        }
        return objects
    }

    private final func run(
        _ query: FetchQuery, _ request: FetchRequestStorage, in handle: StoreHandle
    ) throws -> [NSManagedObject] {
        let result: FetchResult
        do { result = try handle.backend.fetch(query) } catch { throw error.nsError() }
        registry.use(handle.cache, at: handle.index)
        switch result {
        case .rows(let rows):
            let current = handle.cache.insert(rows)
            let objects = current.map { object(for: $0, handle: handle) }
            if request.shouldRefreshRefetchedObjects {
                for object in objects where !object.isFault && !object.isDirty {
                    if let row = handle.cache.current(object.reference) { object.adopt(row) }
                }
            }
            if !request.returnsObjectsAsFaults {
                for (object, row) in zip(objects, current) where object.isFault { object.fill(from: row) }
            }
            return objects
        case .references(let references):
            if request.fetchBatchSize > 0 {
                faultHandler.noteBatches(references, size: request.fetchBatchSize)
            }
            return references.map { object(for: $0, storeIndex: handle.index) }
        case .count, .dictionaries:
            programmerError("a store answered a fetch of objects with something else")
        }
    }

    // MARK: IDs, counts, dictionaries

    private final func ids(_ request: FetchRequestStorage, _ query: FetchQuery) throws -> [NSManagedObjectID]
    {
        let frozen = requiredCoordinator.frozen
        let handles = try handles(request, query)
        if handles.count > 1 { return try objects(request, query).map(\.objectID) }
        var result: [NSManagedObjectID] = []
        for handle in handles {
            do {
                guard case .references(let references) = try handle.backend.fetch(query) else { continue }
                result += references.map {
                    NSManagedObjectID($0, runtime: frozen.runtime($0.entity), store: handle.store)
                }
            } catch { throw error.nsError() }
        }
        return result
    }

    final func countResults(_ request: FetchRequestStorage) throws -> Int {
        let frozen = requiredCoordinator.frozen
        processPendingChanges()
        let query = try request.query(in: frozen, shape: .count)
        let handles = try handles(request, query)
        guard overlay(request, query) == nil, handles.count <= 1 else {
            return try objects(request, try request.query(in: frozen, shape: .references)).count
        }
        var total = 0
        for handle in handles {
            do {
                if case .count(let count) = try handle.backend.fetch(query) { total += count }
            } catch { throw error.nsError() }
        }
        return total
    }

    private final func dictionaries(
        _ request: FetchRequestStorage, _ query: FetchQuery
    ) throws -> [NSDictionary] {
        guard case .dictionaries(let shape) = query.shape else { return [] }
        let frozen = requiredCoordinator.frozen
        var result: [NSDictionary] = []
        for handle in try handles(request, query) {
            do {
                guard case .dictionaries(let rows) = try handle.backend.fetch(query) else { continue }
                for row in rows {
                    let dictionary = NSMutableDictionary()
                    for (column, value) in zip(shape.columns, row) {
                        let object: Any? =
                            if case .reference(let reference) = value {
                                NSManagedObjectID(
                                    reference, runtime: frozen.runtime(reference.entity), store: handle.store)
                            } else {
                                value.object
                            }
                        if let object { dictionary[column.name as NSString] = object }
                    }
                    result.append(dictionary.copy() as! NSDictionary)
                }
            } catch { throw error.nsError() }
        }
        return result
    }

    // MARK: Fetched properties

    /// The result of a fetched property: `$FETCH_SOURCE` is the object, `$FETCHED_PROPERTY` the description.
    final func fetchedPropertyResult(
        _ request: NSFetchRequest<any NSFetchRequestResult>, property: NSFetchedPropertyDescription,
        of source: NSManagedObject
    ) -> NSArray {
        let storage = FetchRequestStorage(request.storage)
        storage.predicate = storage.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": source, "FETCHED_PROPERTY": property,
        ])
        do {
            return NSArray(array: try fetchResult(storage).boxed)
        } catch {
            programmerError("The fetched property \(property.name) could not be read: \(error)")
        }
    }
}

extension FetchQuery {
    /// The part of a whole result that limit and offset leave.
    func window<Element>(_ elements: [Element]) -> [Element] {
        let start = min(offset, elements.count)
        let end = limit > 0 ? min(start + limit, elements.count) : elements.count
        return Array(elements[start..<end])
    }
}
