import CoreData
import Foundation
import Testing

@Suite("Batches over several stores")
struct BatchStoreTests {
    /// Two stores under one coordinator, each with three notes.
    private struct Pair {
        let folder: ScratchFolder
        let coordinator: NSPersistentStoreCoordinator
        let stores: [NSPersistentStore]
        let context = NSManagedObjectContext(.privateQueue)

        init() throws {
            folder = try ScratchFolder()
            let sketch = """
                Note
                  text string
                  number int32
                """
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(sketch).model)
            stores = try ["a", "b"].map { [folder, coordinator] in
                try coordinator.addPersistentStore(type: .tested, at: folder.place(.tested, $0))
            }
            context.persistentStoreCoordinator = coordinator
            for (index, store) in stores.enumerated() {
                let request = NSBatchInsertRequest(
                    entityName: "Note",
                    objects: (0..<3).map {
                        ["text": index == 0 ? "a\($0)" : "b\($0)", "number": $0 * 2 + index]
                    })
                request.affectedStores = [store]
                try execute(request)
            }
        }

        @discardableResult
        func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
            try context.performAndWait { try context.execute(request) }
        }

        func texts(_ store: NSPersistentStore? = nil) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.affectedStores = store.map { [$0] }
            request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
            return try context.performAndWait {
                try context.fetch(request).compactMap { $0.value(forKey: "text") as? String }
            }
        }
    }

    @Test("A batch goes to the affected stores; updates and deletions go to all by default")
    func affectedStores() throws {
        let pair = try Pair()
        #expect(try pair.texts(pair.stores[0]) == ["a0", "a1", "a2"])
        #expect(try pair.texts(pair.stores[1]) == ["b0", "b1", "b2"])
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(format: "number >= 4")
        update.propertiesToUpdate = ["text": "z"]
        update.resultType = .updatedObjectIDsResultType
        let ids = (try pair.execute(update) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
        #expect(Set(ids?.compactMap { $0.persistentStore } ?? []) == Set(pair.stores))
        #expect(try pair.texts() == ["a0", "a1", "b0", "b1", "z", "z"])
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        fetch.affectedStores = [pair.stores[1]]
        try pair.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try pair.texts() == ["a0", "a1", "z"])
    }

    @Test("An object ID stands for a row of its own store, not for the same key in another store")
    func ids() throws {
        let pair = try Pair()
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
        request.resultType = .managedObjectIDResultType
        request.affectedStores = [pair.stores[0]]
        let ids = try pair.context.performAndWait { try pair.context.fetch(request) }
        let delete = NSBatchDeleteRequest(objectIDs: ids)
        delete.resultType = .resultTypeCount
        #expect((try pair.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 3)
        #expect(try pair.texts() == ["b0", "b1", "b2"])
    }

    @Test("A limit and an offset apply to the rows of all stores together")
    func window() throws {
        let pair = try Pair()
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        fetch.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        (fetch.fetchOffset, fetch.fetchLimit) = (1, 3)
        let delete = NSBatchDeleteRequest(fetchRequest: fetch)
        delete.resultType = .resultTypeCount
        #expect((try pair.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 3)
        #expect(try pair.texts() == ["a0", "a2", "b2"])
    }

    @Test("A store opened read-only refuses every batch")
    func readOnly() throws {
        let stack = try TestStack("E\n  n int16")
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: stack.coordinator.managedObjectModel)
        try coordinator.addPersistentStore(
            type: .tested, at: stack.storeURL,
            options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        let context = coordinator.context(.privateQueue)
        let update = NSBatchUpdateRequest(entityName: "E")
        update.propertiesToUpdate = ["n": 1]
        let requests = [
            NSBatchInsertRequest(entityName: "E", objects: [["n": 1]]), update,
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "E")),
        ]
        for request in requests {
            let error = #expect(throws: NSError.self) {
                try context.performAndWait { try context.execute(request) }
            }
            #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
        }
    }

    @Test("A coordinator executes batches, too, and in-memory stores support them")
    func coordinator() throws {
        let model = ModelSketch("E\n  n int16").model
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let context = coordinator.context(.privateQueue)
        let request = NSBatchInsertRequest(entityName: "E", objects: [["n": 1], ["n": 2]])
        request.resultType = .count
        let error = #expect(throws: NSError.self) { try coordinator.execute(request, with: context) }
        #expect(error?.code == NSPersistentStoreOperationError)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
        let result = try coordinator.execute(request, with: context) as? NSBatchInsertResult
        #expect(result?.result as? Int == 2)
    }

    @Test(
        "A batch is one transaction of the history, with the root context's author and all changes",
        .ofSQLite("A table of names"))
    func history() throws {
        let folder = try ScratchFolder()
        let sketch = """
            Parent
              n int16
              children ->> Child.parent
            Child
              n int16 preserved
              parent -> Parent.children
            """
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(sketch).model)
        try coordinator.addPersistentStore(
            type: .tested, at: folder.place(.tested),
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let context = coordinator.context(.privateQueue)
        context.transactionAuthor = "importer"
        let nested = NSManagedObjectContext(.privateQueue)
        nested.parent = context
        nested.transactionAuthor = "child"
        try nested.performAndWait {
            _ = try nested.execute(NSBatchInsertRequest(entityName: "Parent", objects: [["n": 1]]))
        }
        try context.performAndWait {
            try context.execute(NSBatchInsertRequest(entityName: "Child", objects: [["n": 7], ["n": 8]]))
            let update = NSBatchUpdateRequest(entityName: "Child")
            let parent = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Parent"))[0]
            update.propertiesToUpdate = ["parent": parent.objectID]
            update.predicate = NSPredicate(format: "n == 7")
            try context.execute(update)
            try context.execute(NSBatchDeleteRequest(objectIDs: [parent.objectID]))
            let all = NSFetchRequest<NSManagedObject>(entityName: "Child")
            try context.execute(NSBatchDeleteRequest(fetchRequest: all))
            // A batch that changes nothing leaves no transaction.
            try context.execute(NSBatchDeleteRequest(fetchRequest: all))
        }
        let database = try ScratchFolder.tables(at: folder.place(.tested))
        #expect(try database.integer("SELECT COUNT(*) FROM ATRANSACTION") == 5)
        #expect(
            try database.integer(
                "SELECT COUNT(*) FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS AND "
                    + "s.ZNAME = 'importer'") == 5)
        let changes = try database.rows(
            "SELECT ZTRANSACTIONID, ZCHANGETYPE, Z_NAME, ZENTITYPK, ZTOMBSTONE0 FROM ACHANGE JOIN Z_PRIMARYKEY p "
                + "ON p.Z_ENT = ZENTITY ORDER BY ACHANGE.Z_PK")
        func change(_ transaction: Int64, _ type: Int64, _ entity: String, _ key: Int64, _ kept: Int64? = nil)
            -> [PlainDatabase.Cell]
        {
            [
                .integer(transaction), .integer(type), .text(entity), .integer(key),
                kept.map { .integer($0) } ?? .null,
            ]
        }
        #expect(
            changes == [
                change(1, 0, "Parent", 1), change(2, 0, "Child", 1), change(2, 0, "Child", 2),
                change(3, 1, "Child", 1), change(4, 2, "Parent", 1), change(4, 1, "Child", 1),
                change(5, 2, "Child", 1, 7), change(5, 2, "Child", 2, 8),
            ])
    }
}
