import CoreData
import Foundation
import Synchronization

/// An incremental store over a `DictionaryService`. The store names its records, with texts like
/// `Book-<UUID>`. The service finds records by kind; predicates are tested here.
public final class DictionaryStore: NSIncrementalStore, @unchecked Sendable {
    public static let storeType = "Dictionary"
    /// The services by host, as URLs name them.
    private static let services = Mutex<[String: DictionaryService]>([:])

    public static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(self, forStoreType: storeType)
    }

    /// The service at a URL, made when it is first asked for.
    public static func service(at url: URL) -> DictionaryService {
        services.withLock { services in
            let service = services[url.absoluteString] ?? DictionaryService()
            services[url.absoluteString] = service
            return service
        }
    }

    private var service: DictionaryService { Self.service(at: url!) }

    public override var type: String { Self.storeType }

    public override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: "dictionary"]
    }

    // MARK: Requests

    public override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        switch request {
        case let request as NSFetchRequest<any NSFetchRequestResult>:
            return fetch(request).map { result in
                guard let id = result as? NSManagedObjectID, request.resultType == .managedObjectResultType
                else {
                    return result
                }
                return context!.object(with: id)
            }
        case let request as NSSaveChangesRequest:
            save(request)
            return []
        default:
            throw CocoaError(.featureUnsupported)
        }
    }

    /// Returns the matches, as IDs or in the shape asked for. They are tested and sorted in a context of
    /// their own, by the values of the service and not by the unsaved changes of the asking context.
    private func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) -> [Any] {
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = persistentStoreCoordinator
        return reader.performAndWait {
            let matches = matches(request, in: reader)
            return switch request.resultType {
            case .countResultType: [NSNumber(value: matches.count)]
            case .dictionaryResultType: matches.map { dictionary($0, request) }
            default: matches.map(\.objectID)
            }
        }
    }

    private func matches(
        _ request: NSFetchRequest<any NSFetchRequestResult>, in reader: NSManagedObjectContext
    ) -> [NSManagedObject] {
        let entity = request.entity!
        let kinds = request.includesSubentities ? names(of: entity) : [entity.name!]
        var objects = service.names(of: kinds).map { name in
            reader.object(with: newObjectID(for: self.entity(of: name), referenceObject: name))
        }
        if let predicate = request.predicate { objects = objects.filter { predicate.evaluate(with: $0) } }
        if let order = request.sortDescriptors {
            objects = (objects as NSArray).sortedArray(using: order) as! [NSManagedObject]
        }
        objects = Array(objects.dropFirst(request.fetchOffset))
        return request.fetchLimit > 0 ? Array(objects.prefix(request.fetchLimit)) : objects
    }

    private func dictionary(
        _ object: NSManagedObject, _ request: NSFetchRequest<any NSFetchRequestResult>
    ) -> NSDictionary {
        let dictionary = NSMutableDictionary()
        for key in (request.propertiesToFetch ?? []).compactMap({ $0 as? String }) {
            if let value = object.value(forKeyPath: key) { dictionary[key as NSString] = value }
        }
        return dictionary
    }

    private func names(of entity: NSEntityDescription) -> Set<String> {
        Set([entity.name!] + entity.subentities.flatMap(names))
    }

    private func entity(of name: String) -> NSEntityDescription {
        let kind = String(name.prefix { $0 != "-" })
        return persistentStoreCoordinator!.managedObjectModel.entitiesByName[kind]!
    }

    // MARK: Rows

    public override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let record = try record(objectID)
        var values = record.values
        for (name, relationship) in objectID.entity.relationshipsByName where !relationship.isToMany {
            values[name] = record.links[name]?.first.map(id) ?? NSNull()
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: record.version)
    }

    public override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let members = (try record(objectID).links[relationship.name] ?? []).map(id)
        return relationship.isToMany ? members : members.first ?? NSNull()
    }

    private func record(_ objectID: NSManagedObjectID) throws -> DictionaryService.Record {
        if let record = service.record(name(of: objectID)) { return record }
        throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
    }

    private func name(of objectID: NSManagedObjectID) -> String { "\(referenceObject(for: objectID))" }

    private func id(_ name: String) -> NSManagedObjectID {
        newObjectID(for: entity(of: name), referenceObject: name)
    }

    // MARK: Saving

    public override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            newObjectID(for: object.entity, referenceObject: "\(object.entity.name!)-\(UUID().uuidString)")
        }
    }

    private func save(_ request: NSSaveChangesRequest) {
        var changed: [String: DictionaryService.Record] = [:]
        for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
            let name = name(of: object.objectID)
            let version =
                request.insertedObjects?.contains(object) == true ? 0 : service.record(name)?.version ?? 0
            changed[name] = record(of: object, version: version + 1)
        }
        let dropped = (request.deletedObjects ?? []).map { name(of: $0.objectID) }
        service.put(changed, dropping: dropped)
    }

    private func record(of object: NSManagedObject, version: UInt64) -> DictionaryService.Record {
        var values: [String: Any] = [:]
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            values[name] = object.value(forKey: name)
        }
        var links: [String: [String]] = [:]
        for name in object.entity.relationshipsByName.keys {
            let members: [NSManagedObject] =
                switch object.value(forKey: name) {
                case let set as Set<NSManagedObject>: Array(set)
                case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
                case let member: [member as? NSManagedObject].compactMap { $0 }
                }
            links[name] = members.map { self.name(of: $0.objectID) }
        }
        return DictionaryService.Record(
            kind: object.entity.name!, values: values, links: links, version: version)
    }
}
