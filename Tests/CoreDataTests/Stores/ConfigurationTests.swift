import CoreData
import Foundation
import Testing

@Suite("Configurations that leave out subentities")
@MainActor
struct ConfigurationTests {
    /// Books, of which comics are a kind, and notes.
    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Book
              title string
            Comic: Book
              panels int16
            Note
              text string
            configuration WithoutComics: Book, Note
            configuration Notes: Note
            """
        ).model
    }

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func open(_ type: String, _ configuration: String?) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: folder.place(.init(rawValue: type), "store"))
        let context = coordinator.context(.mainQueue)
        return context
    }

    @Test(
        "A store with a subentity can be read with a configuration that leaves it out",
        arguments: [NSPersistentStore.StoreType.tested.rawValue, NSXMLStoreType])
    func leftOut(_ type: String) throws {
        let first = try open(type, nil)
        _ = first.insert("Book", ["title": "a"])
        _ = first.insert("Comic", ["title": "b", "panels": 6])
        try first.save()
        let context = try open(type, "WithoutComics")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let books = try context.fetch(request)
        #expect(books.map { $0.entity.name } == ["Book", "Comic"])
        #expect(books[1].value(forKey: "panels") as? Int == 6)
        books[1].setValue(7, forKey: "panels")
        try context.save()
        let again = try open(type, nil)
        #expect(try again.fetch(request).last?.value(forKey: "panels") as? Int == 7)
        let metadata = try #require(context.persistentStoreCoordinator?.persistentStores.first?.metadata)
        let model = Self.model()
        #expect(model.isConfiguration(withName: "WithoutComics", compatibleWithStoreMetadata: metadata))
        #expect(!model.isConfiguration(withName: "Notes", compatibleWithStoreMetadata: metadata))
        let error = #expect(throws: NSError.self) { try open(type, "Notes") }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test(
        "A new store of a configuration has only the configuration's entities",
        arguments: [NSPersistentStore.StoreType.tested.rawValue, NSXMLStoreType])
    func new(_ type: String) throws {
        let context = try open(type, "WithoutComics")
        let metadata = try #require(context.persistentStoreCoordinator?.persistentStores.first?.metadata)
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        #expect(Set(hashes.keys) == ["Book", "Note"])
        #expect(
            Self.model().isConfiguration(withName: "WithoutComics", compatibleWithStoreMetadata: metadata))
        _ = context.insert("Book", ["title": "a"])
        try context.save()
        #expect(
            try open(type, "WithoutComics").count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
                == 1)
    }
}
