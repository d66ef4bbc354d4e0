import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Dispatch
import Foundation
import PostgreSQLTestSupport
import Testing

@MainActor @Suite("Derived attributes of PostgreSQL stores", .needsServer)
struct DerivedTotalTests {
    private let url: URL
    private let context: NSManagedObjectContext

    init() throws {
        url = try Place.new()
        context = try Self.context(at: url)
        // The first save opens the connection, asks which tables have triggers, and draws keys.
        _ = insert("Folder", ["name": "first"])
        _ = insert("Note", ["length": 1])
        try context.save()
    }

    /// Folders count their notes and add up their lengths; notes have the names of their folders.
    private static var model: NSManagedObjectModel {
        let (folder, note) = (NSEntityDescription(), NSEntityDescription())
        (folder.name, note.name) = ("Folder", "Note")
        let (notes, home) = (NSRelationshipDescription(), NSRelationshipDescription())
        (notes.name, notes.destinationEntity, notes.inverseRelationship) = ("notes", note, home)
        (notes.minCount, notes.maxCount) = (0, 0)
        (home.name, home.destinationEntity, home.inverseRelationship) = ("folder", folder, notes)
        (home.minCount, home.maxCount) = (0, 1)
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        func derived(_ name: String, _ type: NSAttributeType, _ format: String) -> NSAttributeDescription {
            let attribute = NSDerivedAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            attribute.derivationExpression = NSExpression(format: format)
            return attribute
        }
        folder.properties = [
            attribute("name", .stringAttributeType), notes,
            derived("count", .integer64AttributeType, "notes.@count"),
            derived("total", .integer64AttributeType, "notes.@sum.length"),
            derived("plain", .stringAttributeType, "canonical:(name)"),
            derived("saved", .dateAttributeType, "now()"),
        ]
        note.properties = [
            attribute("length", .integer64AttributeType), home,
            derived("folderName", .stringAttributeType, "folder.name"),
        ]
        let model = NSManagedObjectModel()
        model.entities = [folder, note]
        return model
    }

    private static func context(at url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: url)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValuesForKeys(values)
        return object
    }

    private func numbers(_ folder: NSManagedObject) -> [Int?] {
        context.refresh(folder, mergeChanges: false)
        return ["count", "total"].map { folder.value(forKey: $0) as? Int }
    }

    @Test("A save that changes derived attributes takes one round trip, and a large one two")
    func trips() throws {
        let (one, other) = (insert("Folder", ["name": "É"]), insert("Folder"))
        let note = insert("Note", ["length": 5, "folder": one])
        #expect(try TripCounter.count { try context.save() } == 1)
        #expect(numbers(one) == [1, 5])
        #expect(numbers(other) == [0, 0])
        #expect(one.value(forKey: "plain") as? String == "e")
        #expect(one.value(forKey: "saved") is Date)
        note.setValue(other, forKey: "folder")
        #expect(try TripCounter.count { try context.save() } == 1)
        #expect(numbers(one) == [0, 0])
        #expect(numbers(other) == [1, 5])
        other.setValue("new", forKey: "name")
        #expect(try TripCounter.count { try context.save() } == 1)
        context.refresh(note, mergeChanges: false)
        #expect(note.value(forKey: "folderName") as? String == "new")
        let many = (0..<1500).map { number in
            insert("Note", ["length": 1, "folder": number.isMultiple(of: 2) ? one : other])
        }
        #expect(try TripCounter.count { try context.save() } <= 2)
        #expect(numbers(one) == [750, 750])
        for note in many.prefix(500) { note.setValue(one, forKey: "folder") }
        for note in many.suffix(500) { context.delete(note) }
        context.delete(note)
        #expect(try TripCounter.count { try context.save() } <= 2)
        #expect(numbers(one) == [750, 750])
        #expect(numbers(other) == [250, 250])
    }

    @Test("The version of an object stays if only its derived attributes change")
    func version() throws {
        let folder = insert("Folder")
        let note = insert("Note", ["length": 1, "folder": folder])
        try context.save()
        context.refreshAllObjects()
        _ = folder.value(forKey: "name")
        let other = try Self.context(at: url)
        let same = try other.existingObject(with: note.objectID)
        same.setValue(9, forKey: "length")
        try other.save()
        folder.setValue("name", forKey: "name")
        try context.save()
        #expect(numbers(folder) == [1, 9])
    }

    /// Returns another program, which has added a note to a folder and not committed it yet.
    private func rival(of folder: NSManagedObject) throws -> Rival {
        let key = try Self.key(folder)
        return try Rival(
            url, "SELECT 1 FROM ZFOLDER WHERE Z_PK = \(key) FOR UPDATE",
            """
            INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZLENGTH, ZFOLDER) \
            SELECT 1000000, Z_ENT, 1, 100, \(key) FROM ZNOTE LIMIT 1
            """, "UPDATE ZFOLDER SET ZCOUNT = ZCOUNT + 1, ZTOTAL = ZTOTAL + 100 WHERE Z_PK = \(key)")
    }

    private static func key(_ object: NSManagedObject) throws -> Int64 {
        try #require(Int64(object.objectID.uriRepresentation().lastPathComponent.dropFirst()))
    }

    @Test("Two writers that add to one object at the same time are both counted", arguments: [false, true])
    func rivals(isBatch: Bool) throws {
        let (folder, note) = (insert("Folder", ["name": "f"]), insert("Note", ["length": 7]))
        try context.save()
        let (folderID, noteID) = (folder.objectID, note.objectID)
        let coordinator = try #require(context.persistentStoreCoordinator)
        let hasWaited = try rival(of: folder).meet {
            let background = NSManagedObjectContext(.privateQueue)
            background.persistentStoreCoordinator = coordinator
            try background.performAndWait {
                if isBatch {
                    let request = NSBatchUpdateRequest(entityName: "Note")
                    request.predicate = NSPredicate(format: "self == %@", noteID)
                    request.propertiesToUpdate = ["folder": folderID]
                    _ = try background.execute(request)
                } else {
                    background.object(with: noteID).setValue(
                        background.object(with: folderID), forKey: "folder")
                    try background.save()
                }
            }
        }
        #expect(hasWaited)
        let fresh = try Self.context(at: url)
        let found = try fresh.existingObject(with: folder.objectID)
        #expect(found.value(forKey: "count") as? Int == 2)
        #expect(found.value(forKey: "total") as? Int == 107)
    }

    @Test("After a save whose answer is cut off, what it has derived in any object is read anew")
    func cutOff() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let way = "schema=cut-\(UUID().uuidString)&hostaddr=127.0.0.1&port=\(proxy.port)&sslmode=disable"
        let saver = try Self.context(at: try #require(URL(string: TestServer.shared().url(with: way))))
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: saver)
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: saver)
        note.setValue(2, forKey: "length")
        try saver.save()
        // A context that keeps the folder's row in the cache of rows.
        let reader = NSManagedObjectContext(.mainQueue)
        reader.persistentStoreCoordinator = saver.persistentStoreCoordinator
        let read = reader.object(with: folder.objectID)
        #expect(read.value(forKey: "count") as? Int == 0)
        note.setValue(folder, forKey: "folder")
        proxy.cutNext(.afterServer)
        try saver.save()
        let late = NSManagedObjectContext(.mainQueue)
        late.persistentStoreCoordinator = saver.persistentStoreCoordinator
        let found = late.object(with: folder.objectID)
        #expect(["count", "total"].map { found.value(forKey: $0) as? Int } == [1, 2])
        #expect(read.value(forKey: "count") as? Int == 0)
    }

    @Test("Many writers of one object leave its exact count")
    func crowd() throws {
        let folder = insert("Folder")
        let notes = (0..<40).map { _ in insert("Note", ["length": 2]) }
        try context.save()
        let (folderID, ids) = (folder.objectID, notes.map(\.objectID))
        let coordinator = try #require(context.persistentStoreCoordinator)
        Self.move(ids, to: folderID, coordinator)
        #expect(numbers(folder) == [40, 60])
    }

    /// Moves notes to a folder, each in a transaction of its own, ten on each of several threads.
    nonisolated private static func move(
        _ ids: [NSManagedObjectID], to folder: NSManagedObjectID, _ coordinator: NSPersistentStoreCoordinator
    ) {
        DispatchQueue.concurrentPerform(iterations: ids.count / 10) { part in
            let worker = NSManagedObjectContext(.privateQueue)
            worker.persistentStoreCoordinator = coordinator
            worker.performAndWait {
                for id in ids[part * 10..<part * 10 + 10] {
                    let request = NSBatchUpdateRequest(entityName: "Note")
                    request.predicate = NSPredicate(format: "self == %@", id)
                    request.propertiesToUpdate = ["folder": folder, "length": part]
                    #expect(throws: Never.self) { try worker.execute(request) }
                }
            }
        }
    }
}
