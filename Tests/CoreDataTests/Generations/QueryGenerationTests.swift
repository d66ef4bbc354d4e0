import CoreData
import Foundation
import Testing

@Suite("Contexts pinned to a query generation")
struct QueryGenerationTests {
    private let stack: HistoryStack
    private let writer: HistoryStack

    init() throws {
        stack = try HistoryStack()
        writer = try stack.sibling()
        let owner = writer.insert("Owner", ["name": "Ada"])
        for number in 1...3 { writer.insert("Car", ["plate": "\(number)", "owner": owner]) }
        try writer.context.save()
    }

    private var context: NSManagedObjectContext { stack.context }

    private func plates(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
        request.sortDescriptors = [NSSortDescriptor(key: "plate", ascending: true)]
        request.returnsObjectsAsFaults = false
        return try context.fetch(request).compactMap { $0.value(forKey: "plate") as? String }
    }

    private func count(_ context: NSManagedObjectContext) throws -> Int {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Car"))
    }

    /// Another coordinator renames the first car, deletes the second and adds one.
    private func write() throws {
        let cars = try writer.context.fetch("Car", nil, [], sortedBy: "plate")
        cars[0].setValue("1 renamed", forKey: "plate")
        writer.context.delete(cars[1])
        writer.insert("Car", ["plate": "4", "owner": cars[0].value(forKey: "owner") as Any])
        try writer.context.save()
    }

    @Test("Fetches, counts, faults and relationships all see the pinned generation")
    func pinned() throws {
        try context.setQueryGenerationFrom(.current)
        #expect(context.queryGenerationToken == .current)
        let owner = try #require(try context.fetch("Owner", nil, [], sortedBy: nil).first)
        #expect(context.queryGenerationToken != .current)
        #expect(context.queryGenerationToken != nil)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Car")
        request.includesPropertyValues = false
        let faults = try context.fetch(request)
        try write()
        #expect(Set(faults.compactMap { $0.value(forKey: "plate") as? String }) == ["1", "2", "3"])
        #expect((owner.value(forKey: "cars") as? Set<NSManagedObject>)?.count == 3)
        #expect(try plates(context) == ["1", "2", "3"])
        #expect(try count(context) == 3)
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Car")
        dictionaries.resultType = .dictionaryResultType
        #expect(try context.fetch(dictionaries).count == 3)
        context.refreshAllObjects()
        #expect(try plates(context) == ["1", "2", "3"])
        #expect(try count(writer.context) == 3)
        #expect(try plates(writer.context) == ["1 renamed", "3", "4"])
    }

    @Test("Other contexts see the latest rows, and cached rows do not mix")
    func siblings() throws {
        try context.setQueryGenerationFrom(.current)
        #expect(try plates(context) == ["1", "2", "3"])
        let sibling = NSManagedObjectContext()
        sibling.persistentStoreCoordinator = stack.coordinator
        try write()
        #expect(try plates(sibling) == ["1 renamed", "3", "4"])
        context.reset()
        try context.setQueryGenerationFrom(.current)
        _ = try count(context)
        // The row of a car that was renamed again is cached, newer than the pinned generation.
        let cars = try sibling.fetch("Car", nil, [], sortedBy: "plate")
        cars[0].setValue("1 again", forKey: "plate")
        try sibling.save()
        #expect(try plates(context) == ["1 renamed", "3", "4"])
        #expect(try plates(sibling) == ["1 again", "3", "4"])
        let id = cars[0].objectID
        let object = context.object(with: id)
        context.refresh(object, mergeChanges: false)
        #expect(object.value(forKey: "plate") as? String == "1 renamed")
        cars[0].managedObjectContext?.refresh(cars[0], mergeChanges: false)
        #expect(cars[0].value(forKey: "plate") as? String == "1 again")
    }

    @Test("Nil unpins the context, and pinning the current generation again moves to the latest one")
    func moving() throws {
        try context.setQueryGenerationFrom(.current)
        #expect(try count(context) == 3)
        writer.insert("Car", ["plate": "5"])
        try writer.context.save()
        #expect(try count(context) == 3)
        try context.setQueryGenerationFrom(.current)
        #expect(try count(context) == 4)
        writer.insert("Car", ["plate": "6"])
        try writer.context.save()
        #expect(try count(context) == 4)
        try context.setQueryGenerationFrom(nil)
        #expect(context.queryGenerationToken == nil)
        #expect(try count(context) == 5)
    }

    @Test("Several contexts share a generation by its token, even after the first has moved on")
    func sharing() throws {
        try context.setQueryGenerationFrom(.current)
        #expect(try count(context) == 3)
        let token = try #require(context.queryGenerationToken)
        try write()
        let other = NSManagedObjectContext()
        other.persistentStoreCoordinator = stack.coordinator
        try other.setQueryGenerationFrom(token)
        #expect(other.queryGenerationToken == token)
        try context.setQueryGenerationFrom(nil)
        #expect(try plates(other) == ["1", "2", "3"])
        #expect(throws: (any Error).self) { try writer.context.setQueryGenerationFrom(token) }
        #expect(writer.context.queryGenerationToken == nil)
    }

    @Test("Saving, merging and resetting move to the current generation")
    func advancing() throws {
        func pinned(_ body: () throws -> Void) throws {
            try context.setQueryGenerationFrom(.current)
            let before = try count(context)
            writer.insert("Car", ["plate": "x"])
            try writer.context.save()
            #expect(try count(context) == before)
            try body()
            #expect(context.queryGenerationToken != nil)
            #expect(try count(context) == before + 1)
        }
        try pinned { context.reset() }
        try pinned { try context.save() }
        try pinned {
            context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
        }
        try pinned { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [context]) }
        try context.setQueryGenerationFrom(.current)
        let owner = try #require(try context.fetch("Owner", nil, [], sortedBy: nil).first)
        owner.setValue("Bo", forKey: "name")
        try context.save()
        context.refresh(owner, mergeChanges: false)
        #expect(owner.value(forKey: "name") as? String == "Bo")
        #expect(try stack.sibling().context.fetch("Owner", "name == 'Bo'", [], sortedBy: nil).count == 1)
    }

    @Test("A save in an old generation conflicts with rows changed since, as usual")
    func conflicts() throws {
        try context.setQueryGenerationFrom(.current)
        let cars = try context.fetch("Car", nil, [], sortedBy: "plate")
        try write()
        cars[0].setValue("mine", forKey: "plate")
        #expect(throws: (any Error).self) { try context.save() }
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try context.save()
        #expect(try plates(context) == ["1 renamed", "3", "4"])
        cars[0].setValue("mine", forKey: "plate")
        try context.save()
        #expect(try plates(writer.sibling().context) == ["3", "4", "mine"])
    }

    private let isFile = NSPersistentStore.StoreType.tested == .sqlite

    /// Copies the write-ahead log into the file, and returns whether readers or writers were in the way.
    private func checkpoint() throws -> PlainDatabase.Cell? {
        try PlainDatabase(stack.folder.file()).rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first
    }

    @Test("A generation lasts while others write, checkpoint and delete, until its last user ends")
    func lifetime() throws {
        weak var released: NSQueryGenerationToken?
        try autoreleasepool {
            try context.setQueryGenerationFrom(.current)
            #expect(try count(context) == 3)
            released = context.queryGenerationToken
            for _ in 0..<20 { try writer.saveCar("more") }
            try writer.context.execute(
                NSBatchDeleteRequest(
                    fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")))
            if isFile { #expect(try checkpoint() == .integer(1)) }
            #expect(try count(context) == 3)
            #expect(try plates(context) == ["1", "2", "3"])
        }
        #expect(released == nil)
        try context.setQueryGenerationFrom(nil)
        #expect(try count(context) == 0)
        if isFile { #expect(try checkpoint() == .integer(0)) }
    }

    @Test(
        "A store without write-ahead log cannot be pinned, and the error explains why",
        .ofSQLite("The write-ahead log"))
    func rollbackJournal() throws {
        let pragmas = ["journal_mode": "DELETE"] as NSDictionary
        let plain = try HistoryStack(options: [NSSQLitePragmasOption: pragmas])
        #expect(throws: (any Error).self) { try plain.context.setQueryGenerationFrom(.current) }
        do {
            try plain.context.setQueryGenerationFrom(.current)
        } catch let error as NSError {
            #expect(error.code == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(error.localizedFailureReason?.contains("write-ahead log") == true)
        }
        #expect(plain.context.queryGenerationToken == nil)
        try plain.saveCar()
    }

    @Test("In-memory stores have query generations, too")
    func inMemory() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryStack.model())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let (reader, writer) = (NSManagedObjectContext(), NSManagedObjectContext())
        reader.persistentStoreCoordinator = coordinator
        writer.persistentStoreCoordinator = coordinator
        try reader.setQueryGenerationFrom(.current)
        #expect(try count(reader) == 0)
        _ = writer.insert("Car", ["plate": "1"])
        try writer.save()
        #expect(try count(reader) == 0)
    }

    @Test("Only the token of the current generation can be archived")
    func archive() throws {
        func copy(_ token: NSQueryGenerationToken) throws -> NSQueryGenerationToken? {
            let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
            return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
        }
        #expect(try copy(.current) == .current)
        try context.setQueryGenerationFrom(.current)
        _ = try count(context)
        #expect(try copy(try #require(context.queryGenerationToken)) == nil)
    }
}
