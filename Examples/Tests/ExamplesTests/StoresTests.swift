import CoreData
import CoreDataConformance
import Foundation
import Stores
import Testing

@Suite("Stores of an app's own class")
struct StoresTests {
    init() {
        JSONLinesStore.register()
        DictionaryStore.register()
    }

    @Test(
        "A store in lines of JSON conforms",
        arguments: StoreConformance(
            "JSONLines",
            capabilities: [
                .persistence, .optimisticLocking, .objectPredicates, .metadata, .totals, .derivation,
                .generations, .longDecimals,
            ]
        ).checks)
    func jsonLines(_ check: StoreConformance.Check) throws { try check.run() }

    @Test(
        "A store over a service conforms",
        arguments: StoreConformance(
            "Dictionary", capabilities: [.persistence, .longDecimals]
        ).checks)
    func dictionary(_ check: StoreConformance.Check) throws { try check.run() }

    private static func notes() -> NSManagedObjectModel {
        let text = NSAttributeDescription()
        (text.name, text.attributeType) = ("text", .stringAttributeType)
        let note = NSEntityDescription()
        (note.name, note.properties) = ("Note", [text])
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    @Test("The file has a line of JSON for each object")
    func lines() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: url) }
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.notes())
        let description = NSPersistentStoreDescription(url: url)
        description.type = JSONLinesStore.storeType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        NSEntityDescription.insertNewObject(forEntityName: "Note", into: container.viewContext)
            .setValue("hello", forKey: "text")
        try container.viewContext.save()
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[1] == #"{"id":"Note/1","text":"hello"}"#)
    }

    @Test("The service is asked only for the objects needed, at the moment they are needed")
    func requests() throws {
        let url = URL(string: "memory://\(UUID().uuidString)")!
        let service = DictionaryStore.service(at: url)
        for number in 0..<10 {
            service.put(
                [
                    "Note-\(number)": .init(
                        kind: "Note", values: ["text": "\(number)"])
                ], dropping: [])
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.notes())
        try coordinator.addPersistentStore(ofType: "Dictionary", configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let before = service.requestCount
        let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        #expect(notes.count == 10)
        #expect(notes.allSatisfy { $0.isFault })
        #expect(service.requestCount == before + 1)
        #expect(notes[3].value(forKey: "text") as? String == "3")
        #expect(service.requestCount == before + 2)
        #expect(
            notes[3].objectID.uriRepresentation().absoluteString == "x-coredata://dictionary/Note/pNote-3")
    }

    @Test("A store moves into one of the app's own class, and out of it again")
    func moving() throws {
        let model = Self.notes()
        let note = model.entities[0]
        let (first, others) = (NSRelationshipDescription(), NSRelationshipDescription())
        (first.name, first.destinationEntity, first.maxCount) = ("first", note, 1)
        (others.name, others.destinationEntity, others.maxCount) = ("others", note, 0)
        (first.inverseRelationship, others.inverseRelationship) = (others, first)
        note.properties += [first, others]
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        var store = try coordinator.addPersistentStore(type: .sqlite, at: folder.appendingPathComponent("a"))
        let notes = ["a", "b", "c"].map { text in
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            note.setValue(text, forKey: "text")
            return note
        }
        for other in notes.dropFirst() { other.setValue(notes[0], forKey: "first") }
        try context.save()
        let places: [(NSPersistentStore.StoreType, URL)] = [
            (.init(rawValue: JSONLinesStore.storeType), folder.appendingPathComponent("b")),
            (.init(rawValue: DictionaryStore.storeType), URL(string: "memory://\(UUID().uuidString)")!),
            (.xml, folder.appendingPathComponent("c")),
        ]
        for (type, url) in places {
            store = try coordinator.migratePersistentStore(store, to: url, type: type)
            #expect(store.type == type.rawValue)
            #expect(coordinator.persistentStores == [store])
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            let found = try context.fetch(request).sorted {
                $0.value(forKey: "text") as? String ?? "" < $1.value(forKey: "text") as? String ?? ""
            }
            #expect(found.map { $0.value(forKey: "text") as? String } == ["a", "b", "c"])
            #expect(found[0].value(forKey: "others") as? NSSet == NSSet(array: Array(found.dropFirst())))
        }
    }
}
