import CoreData
import Foundation
import Testing

@Suite("Progressive migration, as apps write it")
@MainActor
struct ProgressiveMigrationTests {
    private let library: LibraryBundle
    private var url: URL { library.folder.file("Library.store") }

    init() throws {
        library = try LibraryBundle()
    }

    /// Makes a store of a version, open or closed.
    private func store(of version: LibraryVersion, _ type: String) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: version.model(in: library.bundle))
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        let context = coordinator.context(.mainQueue)
        let book = context.insert("Book", [version == .version1 ? "title" : "name": "Earthsea"])
        let author =
            version == .version1
            ? context.insert("Person", ["name": "Ursula K. Le Guin"])
            : context.insert("Author", ["firstName": "Ursula", "lastName": "K. Le Guin"])
        book.setValue(author, forKey: "author")
        try context.save()
        return context
    }

    private func close(_ context: NSManagedObjectContext) throws {
        for store in context.persistentStoreCoordinator!.persistentStores {
            try context.persistentStoreCoordinator!.remove(store)
        }
    }

    /// Checks the content as a container reads it without migrating.
    private func requireLibrary(_ type: String) throws {
        let model = try #require(
            NSManagedObjectModel(
                contentsOf: library.bundle.url(forResource: "Library", withExtension: "momd")!))
        let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = type
        description.shouldMigrateStoreAutomatically = false
        description.shouldInferMappingModelAutomatically = false
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        #expect(failure == nil)
        let books = try container.viewContext.fetch("Book", nil, [], sortedBy: nil)
        let book = try #require(books.first)
        #expect(books.count == 1)
        #expect(book.value(forKey: "name") as? String == "Earthsea")
        #expect(book.value(forKey: "pages") as? Int == 100)
        #expect(book.value(forKey: "label") as? String == "K. Le Guin")
        #expect(book.value(forKeyPath: "author.firstName") as? String == "Ursula")
        #expect(
            (book.value(forKeyPath: "author.books") as? NSOrderedSet)?.array.first as? NSManagedObject == book
        )
        try close(container.viewContext)
    }

    @Test(
        "A store migrates version by version and takes the original's place",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType],
        [LibraryVersion.version1, .version3])
    func versions(_ type: String, _ first: LibraryVersion) throws {
        let context = try store(of: first, type)
        let migrator = VersionedMigrator(bundle: library.bundle, storeType: type)
        #expect(!migrator.requiresMigration(at: library.folder.file("None.store"), to: .current))
        #expect(!migrator.requiresMigration(at: url, to: first))
        #expect(migrator.requiresMigration(at: url, to: .current))
        try close(context)
        try migrator.migrateStore(at: url, to: .current)
        #expect(!migrator.requiresMigration(at: url, to: .current))
        try requireLibrary(type)
    }

    @Test("Rows that are only in the log are migrated")
    func log() throws {
        // Copied during use, as after a crash: the database file alone has no rows.
        let context = try store(of: .version1, NSSQLiteStoreType)
        let names = ["", "-wal"]
        let bytes = try names.map { try Data(contentsOf: URL(fileURLWithPath: url.path + $0)) }
        try close(context)
        for (name, data) in zip(names, bytes) { try data.write(to: URL(fileURLWithPath: url.path + name)) }
        #expect(bytes[1].count > 0)
        try VersionedMigrator(bundle: library.bundle, storeType: NSSQLiteStoreType)
            .migrateStore(at: url, to: .current)
        try requireLibrary(NSSQLiteStoreType)
    }

    @Test("A checkpoint by another journal mode leaves a single file", arguments: ["DELETE", "TRUNCATE"])
    func checkpoint(_ mode: String) throws {
        try close(store(of: .version1, NSSQLiteStoreType))
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: LibraryVersion.version1.model(in: library.bundle))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": mode]])
        try coordinator.remove(store)
        #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        #expect(try Data(contentsOf: url)[18...19] == Data([1, 1]))
    }

    @Test(
        "A store migrates from mapping model to mapping model, with files moved by hand",
        arguments: [NSSQLiteStoreType, NSXMLStoreType])
    func searched(_ type: String) throws {
        let mapped = try LibraryBundle(mapsAll: true)
        try close(store(of: .version1, type))
        let migrator = SearchingMigrator(bundle: mapped.bundle)
        let model = LibraryVersion.current.model(in: mapped.bundle)
        try migrator.progressivelyMigrate(url, ofType: type, to: model)
        #expect(migrator.progress == [1, 1, 1])
        try requireLibrary(type)
        try migrator.progressivelyMigrate(url, ofType: type, to: model)
        #expect(migrator.progress.count == 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path)
        #expect(
            Set(names).isSubset(of: [
                "Library.store", "Library.store-wal", "Library.store-shm", "Library.bundle",
            ]))
    }

    @Test("A store of another app has no known version and no migration")
    func unknown() throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: ModelSketch("Other\n  x string").model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        try coordinator.remove(store)
        let migrator = SearchingMigrator(bundle: library.bundle)
        #expect(throws: SearchingMigrator.Failure.self) {
            try migrator.progressivelyMigrate(
                url, ofType: NSSQLiteStoreType, to: LibraryVersion.current.model(in: library.bundle))
        }
    }
}
