import CoreData
import Foundation
import Testing

@Suite("Defaults and settings of contexts")
struct ContextSettingsTests {
    @Test("A new context has Apple's defaults")
    func defaults() {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        #expect(context.concurrencyType == .privateQueueConcurrencyType)
        #expect(context.persistentStoreCoordinator == nil)
        #expect(context.parent == nil)
        #expect(context.undoManager == nil)
        #expect(context.queryGenerationToken == nil)
        #expect(context.name == nil)
        #expect(context.transactionAuthor == nil)
        #expect(context.userInfo.count == 0)
        #expect(context.mergePolicy as? NSMergePolicy == NSMergePolicy.error)
        #expect(context.propagatesDeletesAtEndOfEvent)
        #expect(context.shouldDeleteInaccessibleFaults)
        #expect(!context.retainsRegisteredObjects)
        #expect(!context.automaticallyMergesChangesFromParent)
        #expect(context.stalenessInterval < 0)
        context.performAndWait {
            #expect(!context.hasChanges)
            #expect(context.registeredObjects.isEmpty)
        }
        #expect(NSManagedObjectContext(.mainQueue).concurrencyType == .mainQueueConcurrencyType)
    }

    @Test("A merge policy can be set by each of its names")
    func policies() {
        let context = NSManagedObjectContext(.privateQueue)
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        #expect(context.mergePolicy as? NSMergePolicy == NSMergePolicy.mergeByPropertyObjectTrump)
        context.mergePolicy = NSMergePolicy(merge: .rollbackMergePolicyType)
        #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .rollbackMergePolicyType)
    }

    @Test("A request executes in the context of the current block, and fails outside of a block")
    func execute() async throws {
        let stack = try CatalogStack()
        let first = stack.sibling(.privateQueue)
        let second = stack.sibling(.privateQueue)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        try first.performAndWait {
            let ann = NSEntityDescription.insertNewObject(forEntityName: "Author", into: first)
            #expect(try request.execute() == [ann])
            let others = try second.performAndWait { try request.execute() }
            #expect(others.isEmpty)
            #expect(try request.execute() == [ann])
        }
        let count = try await first.perform {
            try NSFetchRequest<NSManagedObject>(entityName: "Author").execute().count
        }
        #expect(count == 1)
        let error = #expect(throws: NSError.self) { try request.execute() }
        #expect(error?.localizedFailureReason?.contains("perform") == true)
    }

    @Test("Automatic merging works with a coordinator that is set later")
    func mergingBeforeCoordinator() async throws {
        let stack = try CatalogStack()
        let coordinator = stack.coordinator
        let reader = NSManagedObjectContext(.privateQueue)
        reader.automaticallyMergesChangesFromParent = true
        reader.persistentStoreCoordinator = coordinator
        let writer = stack.sibling(.privateQueue)
        let id = try writer.performAndWait {
            let ann = NSEntityDescription.insertNewObject(forEntityName: "Author", into: writer)
            ann.setValue("Ann", forKey: "name")
            try writer.save()
            return ann.objectID
        }
        let ann = reader.performAndWait { reader.object(with: id) }
        #expect(reader.performAndWait { ann.value(forKey: "name") as? String } == "Ann")
        try writer.performAndWait {
            writer.object(with: id).setValue("Eve", forKey: "name")
            try writer.save()
        }
        #expect(await reader.perform { ann.value(forKey: "name") as? String } == "Eve")
    }

    @Test("A context that retains its objects keeps registered ones alive")
    func retaining() throws {
        let stack = try CatalogStack()
        let context = stack.sibling(.privateQueue)
        try context.performAndWait {
            context.retainsRegisteredObjects = true
            NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            try context.save()
            #expect(context.registeredObjects.count == 1)
            for object in context.registeredObjects { context.delete(object) }
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
            try context.save()
            context.retainsRegisteredObjects = false
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test("With a staleness interval, faults read the store even if the row is cached")
    func staleness() throws {
        let stack = try CatalogStack()
        let holder = stack.sibling(.privateQueue)
        let reader = stack.sibling(.privateQueue)
        let held = try holder.performAndWait {
            let ann = NSEntityDescription.insertNewObject(forEntityName: "Author", into: holder)
            ann.setValue("Ann", forKey: "name")
            try holder.save()
            return ann
        }
        let database = try stack.tables()
        try database.execute("UPDATE ZAUTHOR SET ZNAME = 'Eve', Z_OPT = Z_OPT + 1")
        for (interval, name) in [(-1.0, "Ann"), (0, "Eve")] {
            reader.performAndWait {
                reader.reset()
                reader.stalenessInterval = interval
                #expect(reader.object(with: held.objectID).value(forKey: "name") as? String == name)
            }
        }
    }

    @Test("A coordinator reads the metadata in a store file")
    func cachedModel() throws {
        let stack = try CatalogStack()
        let model = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: stack.storeURL)
        #expect(model.entityVersionHashesByName == CatalogStack.model().entityVersionHashesByName)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: stack.storeURL)
        #expect(metadata[NSStoreTypeKey] as? String == stack.coordinator.persistentStores[0].type)
        let coordinator = stack.coordinator
        let store = coordinator.persistentStores[0]
        #expect(coordinator.setURL(stack.storeURL, for: store))
        #expect(!coordinator.setURL(stack.storeURL.deletingLastPathComponent(), for: store))
    }
}
