import CoreData
import Foundation
import Testing

@Suite("Backups and verification of migrations")
@MainActor
struct MigrationSafetyTests {
    private static let first = """
        Person
          name string
          photo external
          friends ->> Person.friends
          home -> House.people
        House
          name string
          people ->> Person.home
        """
    private static let second = first.replacingOccurrences(of: "photo external", with: "age int16 = 3")
    private static let photo = Data(repeating: 9, count: 300_000)

    private func filled(_ sketch: String = first) throws -> VersionedStore {
        let store = try VersionedStore(sketch)
        let house = store.insert("House", ["name": "h"])
        let people = ["a", "b"].map { name in
            store.insert("Person", ["name": name, "photo": Self.photo, "home": house])
        }
        people[0].setValue(NSSet(object: people[1]), forKey: "friends")
        try store.close()
        return store
    }

    private func options(_ more: [AnyHashable: Any]) -> [AnyHashable: Any] {
        VersionedStore.automatic.merging(more) { $1 }
    }

    // MARK: Backups

    @Test("A backup is a copy of the store with its external files, and it stays")
    func backup() throws {
        let store = try filled()
        let backup = store.folder.file("Before.sqlite")
        try store.migrate(to: Self.second, options: options([PersistentStoreMigrationBackupKey: backup]))
        #expect(try store.fetch("Person").map { $0.value(forKey: "age") as? Int16 } == [3, 3])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(Self.first).model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: backup)
        let context = coordinator.context(.mainQueue)
        let people = try context.fetch("Person", nil, [], sortedBy: "name")
        #expect(people.map { $0.value(forKey: "name") as? String } == ["a", "b"])
        #expect(people.map { $0.value(forKey: "photo") as? Data } == [Self.photo, Self.photo])
    }

    @Test("An existing file at the backup's place is kept, and the migration refused")
    func occupied() throws {
        let store = try filled()
        for name in ["Before.sqlite", "Before.sqlite-wal", ".Before_SUPPORT"] {
            let file = store.folder.file(name)
            try Data("precious".utf8).write(to: file)
            let backup = store.folder.file("Before.sqlite")
            let error = #expect(throws: NSError.self) {
                try store.migrate(
                    to: Self.second, options: options([PersistentStoreMigrationBackupKey: backup]))
            }
            #expect(error?.code == CocoaError.Code.fileWriteFileExists.rawValue)
            #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path)
            #expect(try Data(contentsOf: file) == Data("precious".utf8))
            try FileManager.default.removeItem(at: file)
        }
        // The folder of external files would be the store's own.
        let namesake = store.folder.file("store.backup")
        #expect(throws: NSError.self) {
            try store.migrate(
                to: Self.second, options: options([PersistentStoreMigrationBackupKey: namesake]))
        }
        #expect(!FileManager.default.fileExists(atPath: namesake.path))
        try store.migrate(to: Self.first, options: [:])
        #expect(try store.fetch("Person").allSatisfy { $0.value(forKey: "photo") as? Data == Self.photo })
    }

    @Test(
        "A backup of the same state is used again, and one of another state is kept as well"
    )
    func repeated() throws {
        let store = try filled()
        let options = options([PersistentStoreMigrationBackupKey: store.folder.file("Before.sqlite")])
        let failing = Self.second + "\n  house string!"
        func backups() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
                .filter { $0.hasPrefix("Before") }.sorted()
        }
        for _ in 0..<2 {
            #expect(throws: NSError.self) { try store.migrate(to: failing, options: options) }
            #expect(try backups() == ["Before.sqlite"])
        }
        let first = try Data(contentsOf: store.folder.file("Before.sqlite"))
        try store.migrate(to: Self.first, options: [:])
        store.insert("Person", ["name": "c"])
        #expect(throws: NSError.self) { try store.migrate(to: failing, options: options) }
        #expect(throws: NSError.self) { try store.migrate(to: failing, options: options) }
        #expect(try backups() == ["Before-2.sqlite", "Before.sqlite"])
        #expect(try Data(contentsOf: store.folder.file("Before.sqlite")) == first)
        try store.migrate(to: Self.second, options: options)
        #expect(try store.fetch("Person").count == 3)
    }

    @Test("Without a migration no backup is made")
    func needless() throws {
        let store = try filled()
        let backup = store.folder.file("Before.sqlite")
        let options = options([PersistentStoreMigrationBackupKey: backup])
        try store.migrate(to: Self.first, options: options)
        let impossible = Self.first.replacingOccurrences(of: "name string", with: "name date")
        #expect(throws: NSError.self) { try store.migrate(to: impossible, options: options) }
        #expect(!FileManager.default.fileExists(atPath: backup.path))
    }

    @Test("A store description can name the backup's place")
    func described() throws {
        let store = try filled()
        let backup = store.folder.file("Before.sqlite")
        let container = NSPersistentContainer(
            name: "Houses", managedObjectModel: ModelSketch(Self.second).model)
        let description = NSPersistentStoreDescription(url: store.folder.file())
        description.setOption(backup as NSURL, forKey: PersistentStoreMigrationBackupKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { #expect($1 == nil) }
        #expect(FileManager.default.fileExists(atPath: backup.path))
    }

    @Test("A backup of a staged migration is of the state before the first stage")
    func staged() throws {
        let store = try filled()
        let backup = store.folder.file("Before.sqlite")
        let third = Self.second + "\n  street string"
        let stages = [Self.first, Self.second].map {
            NSLightweightMigrationStage([ModelSketch($0).model.versionChecksum])
        }
        try store.migrate(
            to: third,
            options: options([
                NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
                PersistentStoreMigrationBackupKey: backup,
            ]))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: backup)
        #expect(
            ModelSketch(Self.first).model.isConfiguration(
                withName: nil, compatibleWithStoreMetadata: metadata))
    }

    // MARK: Verification

    @Test(
        "A migration that keeps everything passes, also with renamed and changed relationships"
    )
    func verified() throws {
        let store = try filled()
        try store.migrate(
            to: """
                Being
                  name string
                Building was House
                  name string
                  people ->>> Person.homes
                Person: Being
                  photo external
                  pals ->> Person.pals was friends
                  homes ->> Building.people was home
                """, options: VersionedStore.verified)
        #expect(try store.fetch("Person").count == 2)
        #expect(try store.value("people.@count", of: "Building").map { "\($0 ?? "")" } == ["2"])
    }

    @Test("Objects of removed entities, and relationships to them, are not counted as lost")
    func removal() throws {
        let store = try filled()
        try store.migrate(
            to: "Person\n  name string\n  friends ->> Person.friends", options: VersionedStore.verified)
        #expect(try store.fetch("Person").count == 2)
    }

    @Test("If objects are lost, the migration is undone, and the error counts them")
    func lostObjects() throws {
        let store = try filled()
        try PlainDatabase(store.folder.file()).execute(
            """
            CREATE TRIGGER stranger AFTER UPDATE ON ZPERSON WHEN NEW.ZNAME = 'b' \
            BEGIN DELETE FROM ZPERSON WHERE Z_PK = NEW.Z_PK; END
            """)
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: Self.second, options: VersionedStore.verified)
        }
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["entity"] as? String == "Person")
        #expect(error?.userInfo["property"] == nil)
        #expect(error?.userInfo["countBefore"] as? Int == 2)
        #expect(error?.userInfo["countAfter"] as? Int == 1)
        try store.migrate(to: Self.first, options: [:])
        #expect(try store.fetch("Person").allSatisfy { $0.value(forKey: "photo") as? Data == Self.photo })
        #expect(try store.fetch("Person").count == 2)
    }

    @Test("If related pairs are lost, the migration is undone, and the error names the relationship")
    func lostPairs() throws {
        let store = try filled()
        try PlainDatabase(store.folder.file()).execute(
            """
            CREATE TRIGGER stranger AFTER UPDATE ON ZPERSON WHEN NEW.ZNAME = 'b' AND NEW.ZHOME NOT NULL \
            BEGIN UPDATE ZPERSON SET ZHOME = NULL WHERE Z_PK = NEW.Z_PK; END
            """)
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: Self.second, options: VersionedStore.verified)
        }
        #expect(error?.code == NSMigrationError)
        #expect(["home", "people"].contains(error?.userInfo["property"] as? String))
        #expect(error?.userInfo["countBefore"] as? Int == 2)
        #expect(error?.userInfo["countAfter"] as? Int == 1)
        try store.migrate(to: Self.first, options: [:])
        #expect(try store.value("home.name", of: "Person").compactMap { $0 as? String } == ["h", "h"])
    }
}
