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

    private func filled(_ sketch: String = first, house name: String = "h") throws -> VersionedStore {
        let store = try VersionedStore(sketch)
        let house = store.insert("House", ["name": name])
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
        for _ in 0..<2 {
            fail(store)
            #expect(try backups(of: store) == ["Before.sqlite"])
        }
        let first = try Data(contentsOf: store.folder.file("Before.sqlite"))
        try store.migrate(to: Self.first, options: [:])
        store.insert("Person", ["name": "c"])
        fail(store)
        fail(store)
        #expect(try backups(of: store) == ["Before-2.sqlite", "Before.sqlite"])
        #expect(try Data(contentsOf: store.folder.file("Before.sqlite")) == first)
        try store.migrate(to: Self.second, options: options)
        #expect(try store.fetch("Person").count == 3)
    }

    /// A migration that fails after the backup was made.
    private static let failing = second + "\n  house string!"

    private func backups(of store: VersionedStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
            .filter { $0.hasPrefix("Before") && $0.hasSuffix(".sqlite") }.sorted()
    }

    private func fail(_ store: VersionedStore) {
        let backup = store.folder.file("Before.sqlite")
        #expect(throws: NSError.self) {
            try store.migrate(
                to: Self.failing, options: options([PersistentStoreMigrationBackupKey: backup]))
        }
    }

    private static func externalFile(in support: URL) throws -> URL {
        let folder = support.appendingPathComponent("_EXTERNAL_DATA")
        let name = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()[0]
        return folder.appendingPathComponent(name)
    }

    @Test("A backup that contains the same is used again, though its files differ from those of the store")
    func sameContent() throws {
        let store = try filled()
        fail(store)
        let backup = store.folder.file("Before.sqlite")
        let before = try Data(contentsOf: backup)
        // The log, the counters in the header, and SQLite's statistics.
        for database in [backup, store.folder.file()] {
            try PlainDatabase(database).execute("PRAGMA journal_mode = DELETE; VACUUM; ANALYZE")
        }
        try PlainDatabase(store.folder.file()).execute("VACUUM; PRAGMA journal_mode = WAL")
        #expect(try Data(contentsOf: backup) != before)
        // A disk that was full leaves a note, and the external file that the note names.
        let support = store.folder.file(".Before_SUPPORT")
        let name = UUID().uuidString
        try Data("Before.sqlite\n\(name)\n".utf8)
            .write(to: support.appendingPathComponent("pending-\(UUID().uuidString)"))
        try Data("half".utf8).write(to: support.appendingPathComponent("_EXTERNAL_DATA/\(name)"))
        fail(store)
        #expect(try backups(of: store) == ["Before.sqlite"])
    }

    @Test(
        "A backup that differs in one value does not count as the same",
        arguments: [
            // The texts are equal as Swift compares them.
            "UPDATE ZHOUSE SET ZNAME = 'e' || char(0x301)", "UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 1",
            "UPDATE ZPERSON SET ZNAME = CAST(ZNAME AS BLOB) WHERE Z_PK = 1", "DELETE FROM Z_2FRIENDS",
            "INSERT INTO ZHOUSE SELECT 7, Z_ENT, Z_OPT, ZNAME FROM ZHOUSE", "CREATE TABLE ZOTHER (Z_PK)",
            "PRAGMA user_version = 3",
        ])
    func otherValue(change: String) throws {
        let store = try filled(house: "é")
        fail(store)
        let database = try PlainDatabase(store.folder.file("Before.sqlite"))
        try database.execute(change)
        fail(store)
        #expect(try backups(of: store) == ["Before-2.sqlite", "Before.sqlite"])
    }

    @Test("A backup whose external file was changed or removed does not count as the same")
    func otherFile() throws {
        let store = try filled()
        fail(store)
        let file = try Self.externalFile(in: store.folder.file(".Before_SUPPORT"))
        var photo = Self.photo
        photo[photo.count - 1] = 8
        try photo.write(to: file)
        fail(store)
        #expect(try backups(of: store) == ["Before-2.sqlite", "Before.sqlite"])
        try FileManager.default.removeItem(at: Self.externalFile(in: store.folder.file(".Before-2_SUPPORT")))
        fail(store)
        #expect(try backups(of: store) == ["Before-2.sqlite", "Before-3.sqlite", "Before.sqlite"])
        // A file that is missing is no difference where the store lacks it as well.
        for number in ["", "-3"] {
            let support = store.folder.file(".Before\(number)_SUPPORT/_EXTERNAL_DATA")
            try FileManager.default.removeItem(at: support)
        }
        try FileManager.default.removeItem(at: store.folder.file(".store_SUPPORT/_EXTERNAL_DATA"))
        fail(store)
        #expect(try backups(of: store) == ["Before-2.sqlite", "Before-3.sqlite", "Before.sqlite"])
    }

    @Test(
        "An empty file at the backup's place gives way",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func empty(type: String) throws {
        let store = try VersionedStore(Self.first, type: type)
        store.insert("House", ["name": "h"])
        try store.close()
        let backup = store.folder.file("Before.sqlite")
        try Data().write(to: backup)
        let source = ModelSketch(Self.first).model
        try store.migrate(
            to: Self.second,
            options: options([
                PersistentStoreMigrationBackupKey: backup, PersistentStoreMigrationSourceModelKey: source,
            ]))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: type, at: backup)
        #expect(source.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("An empty folder of external files that a dead process left gives way to a backup")
    func emptyFolder() throws {
        let store = try filled()
        let folder = store.folder.file(".Before_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let backup = store.folder.file("Before.sqlite")
        try store.migrate(to: Self.second, options: options([PersistentStoreMigrationBackupKey: backup]))
        #expect(try backups(of: store) == ["Before.sqlite"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test("A store with another state leaves the files of an existing backup alone")
    func occupiedByBackup() throws {
        let store = try filled()
        fail(store)
        let support = store.folder.file(".Before_SUPPORT").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: support).sorted()
        try store.migrate(to: Self.first, options: [:])
        store.insert("Person", ["name": "c", "photo": Self.photo])
        fail(store)
        #expect(try backups(of: store) == ["Before-2.sqlite", "Before.sqlite"])
        #expect(try FileManager.default.subpathsOfDirectory(atPath: support).sorted() == files)
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
