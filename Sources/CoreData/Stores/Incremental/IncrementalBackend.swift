import CoreDataMemory
import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The backend of an incremental store of an app's own class: it turns queries and saves into calls of the
/// methods that the store overrides.
final class IncrementalBackend: BindableBackend {
    private let store: NSIncrementalStore
    private let model: FrozenModel
    /// The context that uses the store; nil if the backend is not bound to a context.
    private let context: Backlink<NSManagedObjectContext>?

    init(_ store: NSIncrementalStore, _ model: FrozenModel, context: NSManagedObjectContext? = nil) {
        self.store = store
        self.model = model
        self.context = context?.link
    }

    func bound(to context: NSManagedObjectContext) -> any StoreBackend {
        IncrementalBackend(store, model, context: context)
    }

    /// Calls the store, and throws its errors to the caller.
    private func asking<Answer>(
        _ body: (NSManagedObjectContext) throws -> Answer
    ) throws(StoreError) -> Answer {
        do {
            if let context = context?.target { return try body(context) }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = store.persistentStoreCoordinator
            return try context.performAndWait { try body(context) }
        } catch let refusal as RefusedQuery {
            throw StoreError(.inexpressible, refusal.reason)
        } catch {
            throw StoreError(.reported(error), "\((error as NSError).localizedDescription)")
        }
    }

    private func id(_ reference: ObjectReference) -> NSManagedObjectID {
        NSManagedObjectID(reference, runtime: model.runtime(reference.entity), store: store)
    }

    private func unexpected(_ answer: Any, to request: String) -> NSError {
        CoreDataError.error(
            NSPersistentStoreOperationError,
            reason: "\(type(of: store)) answered \(request) with \(type(of: answer)).")
    }

    // MARK: Fetching

    func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult {
        // Unknown keys are found here, since the store would trap when it evaluates them.
        try KeyPathSurvey.needsObjects(query, in: model.compiled)
        return try asking { context in
            let request = NSFetchRequest<any NSFetchRequestResult>(query, in: model)
            let answer = try store.execute(request, with: context)
            guard let results = answer as? [Any] ?? (answer as? NSArray)?.map({ $0 }) else {
                throw unexpected(answer, to: "a fetch request")
            }
            switch query.shape {
            case .rows, .references: return .references(try references(results))
            case .count:
                guard let count = (results.first as? NSNumber)?.intValue ?? results.first as? Int else {
                    throw unexpected(answer, to: "a request for a count")
                }
                return .count(count)
            case .dictionaries(let shape): return .dictionaries(try cells(results, shape))
            case .dictionaryCount: return .count(results.count)
            }
        }
    }

    private func references(_ results: [Any]) throws -> [ObjectReference] {
        try results.map { result in
            switch result {
            case let object as NSManagedObject: return object.reference
            case let id as NSManagedObjectID: return id.reference
            default: throw unexpected(result, to: "a fetch of objects")
            }
        }
    }

    private func cells(_ results: [Any], _ shape: DictionaryShape) throws -> [[AttributeValue]] {
        try results.map { result in
            guard
                let dictionary = result as? NSDictionary ?? (result as? [String: Any]).map(NSDictionary.init)
            else { throw unexpected(result, to: "a fetch of dictionaries") }
            return shape.columns.map { column in
                let value = dictionary.object(forKey: column.name as NSString)
                if let id = value as? NSManagedObjectID { return .reference(id.reference) }
                return value.flatMap(AttributeValue.init(boxing:)) ?? .null
            }
        }
    }

    /// Leaves the whole query to the store.
    func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit { QuerySplit(stored: query) }

    // MARK: Rows

    func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot? {
        do throws(StoreError) {
            return try asking { context in try makeRow(row, in: context) }
        } catch {
            if case .reported(let reported) = error.kind,
                (reported as NSError).code == NSManagedObjectReferentialIntegrityError
            {
                return nil
            }
            throw error
        }
    }

    func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot] {
        var result: [Snapshot] = []
        for row in rows {
            if let row = try snapshot(for: row) { result.append(row) }
        }
        return result
    }

    private func makeRow(_ reference: ObjectReference, in context: NSManagedObjectContext) throws -> Snapshot
    {
        let node = try store.newValuesForObject(with: id(reference), with: context)
        let concrete = node.objectID.reference
        let runtime = model.runtime(concrete.entity)
        let row = Snapshot.make(
            runtime.layout, key: concrete.key, version: Int64(bitPattern: node.version))
        for slot in runtime.columns {
            guard let column = slot.column else { continue }
            let property = runtime.properties[slot.index]
            if let relationship = property as? NSRelationshipDescription {
                let value =
                    try node.value(for: property)
                    ?? store.newValue(
                        forRelationship: relationship, forObjectWith: node.objectID, with: context)
                if let destination = try destination(value, relationship) {
                    row.setToOne(column, destination)
                }
            } else if let value = node.value(for: property) {
                do throws(UnacceptableValue) {
                    try ValueBox.write(value, to: row, column: column, of: runtime, slot: slot)
                } catch {
                    throw StoreError(.invalidValue, error.message).nsError()
                }
            }
        }
        return row
    }

    private func destination(
        _ value: Any, _ relationship: NSRelationshipDescription
    ) throws -> ObjectReference? {
        switch value {
        case is NSNull: return nil
        case let id as NSManagedObjectID: return id.reference
        case let object as NSManagedObject: return object.reference
        default: throw unexpected(value, to: "the request for relationship \"\(relationship.name)\"")
        }
    }

    // MARK: Relationships

    func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference] {
        try asking { context in
            guard let relationship = model.properties[Int(row.entity)][slot] as? NSRelationshipDescription
            else {
                return []
            }
            let answer = try store.newValue(
                forRelationship: relationship, forObjectWith: id(row), with: context)
            let members: [Any] =
                switch answer {
                case let array as [Any]: array
                case let set as Set<NSManagedObjectID>: Array(set)
                case let array as NSArray: array.map { $0 }
                case let set as NSSet: set.allObjects
                case let set as NSOrderedSet: set.array
                default: throw unexpected(answer, to: "the request for relationship \"\(relationship.name)\"")
                }
            return try references(members)
        }
    }

    func related(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> [Int64: [ObjectReference]] {
        var result: [Int64: [ObjectReference]] = [:]
        for row in rows {
            let members = try related(slot, of: row)
            if !members.isEmpty { result[row.key] = members }
        }
        return result
    }

    // MARK: Saving

    /// Throws, since the store names its objects itself (`ObjectNamingStore`), for which it needs the
    /// objects.
    func allocateKeys(
        _ count: [EntityIndex: Int]
    ) throws(StoreError) -> [EntityIndex: [ObjectReference]] {
        throw StoreError(.unsupported, "\(type(of: store)) can only obtain permanent IDs for objects")
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        if store.isReadOnly { throw StoreError(.readOnly, "the store is read-only") }
        return try asking { context in
            let saved = SavedObjects(changes, of: store, in: context)
            let request = NSSaveChangesRequest(
                inserted: Set(saved.inserted), updated: Set(saved.updated), deleted: Set(saved.deleted),
                locked: Set(saved.verified))
            let answer = try store.execute(request, with: context)
            return (answer as? SavedRows)?.receipt ?? CommitReceipt(permanent: [:])
        }
    }

    func expireReads() {}
    func close() {}
}
