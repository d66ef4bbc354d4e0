import Foundation
import Testing

@testable import CoreData

@Suite("Stores of custom classes")
@MainActor
struct CustomStoreTests {
    private func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Shelf
              name string
              books ->> Book.shelf
            Book
              name string
              shelf -> Shelf.books
            """
        ).model
    }

    private func context(_ type: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/tmp/\(UUID().uuidString)"))
        let context = coordinator.context(.mainQueue)
        return context
    }

    // MARK: Atomic

    /// Stores nothing, and logs the calls.
    private final class LoggingStore: NSAtomicStore, @unchecked Sendable {
        var log: [String] = []
        var failure: (any Error)?

        override func load() throws { log.append("load") }

        override func save() throws {
            log.append("save \(cacheNodes().count)")
            if let failure { throw failure }
        }

        override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
            log.append("name")
            return "\(managedObject.value(forKey: "name") ?? "")"
        }

        override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
            log.append("new \(referenceObject(for: managedObject.objectID))")
            return super.newCacheNode(for: managedObject)
        }

        override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
            log.append("remove \(cacheNodes.count)")
        }
    }

    @Test("An atomic store is asked for names, then nodes, then to save")
    func order() throws {
        NSPersistentStoreCoordinator.registerStoreClass(LoggingStore.self, forStoreType: "Logging")
        let context = try context("Logging")
        let store = try #require(context.persistentStoreCoordinator?.persistentStores[0] as? LoggingStore)
        #expect(store.log == ["load"])
        #expect(store.type == "Logging")
        store.log = []
        let shelf = context.insert("Shelf", ["name": "S p"])
        try context.save()
        #expect(store.log == ["name", "new S p", "save 1"])
        #expect(shelf.objectID.uriRepresentation().absoluteString.hasSuffix("/Shelf/pS%20p"))
        let uri = shelf.objectID.uriRepresentation()
        let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
        #expect(id == shelf.objectID)
        let elsewhere = URL(fileURLWithPath: "/tmp/elsewhere")
        #expect(context.persistentStoreCoordinator?.setURL(elsewhere, for: store) == true)
        #expect(store.url == elsewhere)
        store.log = []
        context.delete(shelf)
        try context.save()
        #expect(store.log == ["remove 1", "save 0"])
        #expect(store.cacheNodes().isEmpty)
    }

    @Test("A save that a custom store refuses fails with its error, and can be repeated")
    func failure() throws {
        NSPersistentStoreCoordinator.registerStoreClass(LoggingStore.self, forStoreType: "Logging")
        let context = try context("Logging")
        let store = try #require(context.persistentStoreCoordinator?.persistentStores[0] as? LoggingStore)
        let shelf = context.insert("Shelf", ["name": "S"])
        _ = context.insert("Book", ["name": "B", "shelf": shelf])
        store.failure = CocoaError(.fileWriteOutOfSpace)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(context.insertedObjects.count == 2)
        #expect(store.cacheNodes().isEmpty)
        store.failure = nil
        try context.save()
        #expect(!context.hasChanges)
        #expect(store.cacheNodes().count == 2)
        let node = try #require(store.cacheNode(for: shelf.objectID))
        let books = node.value(forKey: "books") as? NSSet
        #expect((books?.anyObject() as? NSAtomicStoreCacheNode)?.value(forKey: "name") as? String == "B")
    }

    private final class BareStore: NSAtomicStore, @unchecked Sendable {}
    private final class BareIncrementalStore: NSIncrementalStore, @unchecked Sendable {}

    @Test("Nodes get derived values in a save, and their old values back if it fails")
    func nodes() throws {
        NSPersistentStoreCoordinator.registerStoreClass(LoggingStore.self, forStoreType: "Deriving")
        let model = model()
        let plain = NSDerivedAttributeDescription()
        (plain.name, plain.attributeType, plain.isOptional) = ("plain", .stringAttributeType, true)
        plain.derivationExpression = CoreData.NSExpression(format: "canonical:(name)")
        model.entitiesByName["Shelf"]?.properties.append(plain)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try #require(
            try coordinator.addPersistentStore(
                ofType: "Deriving", configurationName: nil, at: URL(fileURLWithPath: "/tmp/none"))
                as? LoggingStore)
        let context = coordinator.context(.mainQueue)
        let shelf = context.insert("Shelf", ["name": "Été"])
        try context.save()
        let node = try #require(store.cacheNode(for: shelf.objectID))
        #expect(node.value(forKey: "plain") as? String == "ete")
        store.failure = NSError(domain: "Test", code: 7)
        shelf.setValue("Hiver", forKey: "name")
        #expect(throws: NSError.self) { try context.save() }
        #expect(node.value(forKey: "name") as? String == "Été")
        #expect(node.value(forKey: "plain") as? String == "ete")
        store.failure = nil
        try context.save()
        #expect(node.value(forKey: "name") as? String == "Hiver")
        #expect(node.value(forKey: "plain") as? String == "hiver")
    }

    @Test("A class without a required override is an error that names the method")
    func bare() throws {
        NSPersistentStoreCoordinator.registerStoreClass(BareStore.self, forStoreType: "Bare")
        let atomic = #expect(throws: NSError.self) { try context("Bare") }
        #expect(atomic?.localizedFailureReason == "BareStore must override load().")
        NSPersistentStoreCoordinator.registerStoreClass(
            BareIncrementalStore.self, type: .init(rawValue: "BareInc"))
        let incremental = #expect(throws: NSError.self) { try context("BareInc") }
        #expect(incremental?.localizedFailureReason == "BareIncrementalStore must override loadMetadata().")
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Bare"] == BareStore.self)
        NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "Bare")
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes["Bare"] == nil)
    }

    // MARK: Incremental

    /// A store with one shelf and a book, and a log of the calls.
    private final class FixedStore: NSIncrementalStore, @unchecked Sendable {
        var log: [String] = []

        override func loadMetadata() throws { metadata = [NSStoreUUIDKey: "fixed", NSStoreTypeKey: "Fixed"] }

        private func id(_ entity: String, _ name: Any) -> NSManagedObjectID {
            newObjectID(
                for: persistentStoreCoordinator!.managedObjectModel.entitiesByName[entity]!,
                referenceObject: name)
        }

        override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?)
            throws -> Any
        {
            if let fetch = request as? NSFetchRequest<any NSFetchRequestResult> {
                let context = try #require(context)
                log.append(
                    "fetch \(fetch.entityName!) \(fetch.predicate?.description ?? "") \(fetch.fetchLimit)")
                if fetch.resultType == .countResultType { return [1] }
                return [
                    context.object(with: id(fetch.entityName!, fetch.entityName == "Shelf" ? "s" as Any : 7))
                ]
            }
            let save = try #require(request as? NSSaveChangesRequest)
            log.append(
                "save \(save.insertedObjects!.count) \(save.updatedObjects!.count) \(save.deletedObjects!.count)"
            )
            return []
        }

        override func newValuesForObject(
            with objectID: NSManagedObjectID, with context: NSManagedObjectContext
        ) throws -> NSIncrementalStoreNode {
            log.append("values \(referenceObject(for: objectID))")
            return NSIncrementalStoreNode(objectID: objectID, withValues: ["name": "N"], version: 3)
        }

        override func newValue(
            forRelationship relationship: NSRelationshipDescription,
            forObjectWith objectID: NSManagedObjectID,
            with context: NSManagedObjectContext?
        ) throws -> Any {
            log.append("\(relationship.name) \(referenceObject(for: objectID))")
            return relationship.isToMany ? [id("Book", 7)] : id("Shelf", "s")
        }

        override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
            log.append("name \(array.count)")
            return array.map { id($0.entity.name!, UUID().uuidString) }
        }

        override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
            log.append("register \(referenceObject(for: objectIDs[0]))")
        }

        override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
            log.append("unregister \(referenceObject(for: objectIDs[0]))")
        }
    }

    @Test("An incremental store is asked for objects, values and relationships, each only once")
    func incremental() throws {
        NSPersistentStoreCoordinator.registerStoreClass(FixedStore.self, forStoreType: "Fixed")
        let context = try context("Fixed")
        let store = try #require(context.persistentStoreCoordinator?.persistentStores[0] as? FixedStore)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
        request.predicate = NSPredicate(format: "name == 'N'")
        request.fetchLimit = 1
        var shelf: NSManagedObject? = try context.fetch(request)[0]
        #expect(store.log == ["fetch Shelf name == \"N\" 1", "register s"])
        store.log = []
        #expect(shelf?.value(forKey: "name") as? String == "N")
        #expect(shelf?.value(forKey: "name") != nil)
        #expect(store.log == ["values s"])
        store.log = []
        let books = shelf?.value(forKey: "books") as? Set<NSManagedObject>
        #expect(books?.count == 1)
        #expect(store.log == ["books s", "register 7"])
        #expect(store.referenceObject(for: books!.first!.objectID) as? Int == 7)
        store.log = []
        // A to-one relationship that the node did not have.
        #expect(books?.first?.value(forKey: "shelf") as? NSManagedObject === shelf)
        #expect(store.log == ["values 7", "shelf 7"])
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 1)
        store.log = []
        let new = context.insert("Book", ["name": "new", "shelf": shelf!])
        try context.save()
        #expect(store.log.filter { !$0.hasPrefix("register") } == ["name 1", "save 1 1 0"])
        #expect(!new.objectID.isTemporaryID)
        store.log = []
        context.reset()
        shelf = nil
        #expect(store.log.contains("unregister s"))
    }
}
