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

    @Test("The file has a line for each object, which grep understands")
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
        #expect(lines.count == 2 && lines[1] == #"{"id":"Note/1","text":"hello"}"#)
    }

    @Test("A service is asked for what is needed, when it is needed")
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
        #expect(notes.count == 10 && notes.allSatisfy(\.isFault) && service.requestCount == before + 1)
        #expect(notes[3].value(forKey: "text") as? String == "3" && service.requestCount == before + 2)
        #expect(
            notes[3].objectID.uriRepresentation().absoluteString == "x-coredata://dictionary/Note/pNote-3")
    }
}
