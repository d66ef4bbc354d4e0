import CSQLite
import Foundation
import Testing

@testable import CoreData

@Suite("Unreadable external values")
struct UnreadableValueTests {
    // MARK: Fixtures

    /// The kinds of damage to an external value.
    enum Damage: String, CaseIterable {
        case missingFile, emptyFile, folderInItsPlace, unknownMark, noFileName

        var code: Int {
            (self == .missingFile
                ? CocoaError.Code.fileReadNoSuchFile : CocoaError.Code.fileReadCorruptFile).rawValue
        }

        var hasFile: Bool { ![.unknownMark, .noFileName].contains(self) }
    }

    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Item
              name string
              photo external!
              scan external
            """
        ).model
    }

    private static let big = Data(repeating: 7, count: 200_000)
    private static let other = Data(repeating: 8, count: 150_000)

    /// Items a, b and c, of which b's photo is damaged.
    private struct DamagedStore {
        let folder: ScratchFolder
        let opened: OpenedStore

        var coordinator: NSPersistentStoreCoordinator { opened.coordinator }
        var context: NSManagedObjectContext { opened.context }

        init(_ damage: Damage, in folder: ScratchFolder? = nil) throws {
            let folder = try folder ?? ScratchFolder()
            self.folder = folder
            let opened = try OpenedStore(folder.file(), UnreadableValueTests.model())
            try opened.context.performAndWait {
                for name in ["a", "b", "c"] {
                    let values: [String: Any] = [
                        "name": name, "photo": UnreadableValueTests.big, "scan": UnreadableValueTests.other,
                    ]
                    _ = opened.context.insert("Item", values)
                }
                try opened.context.save()
            }
            try opened.close()
            try Self.apply(damage, folder)
            self.opened = try OpenedStore(folder.file(), UnreadableValueTests.model())
        }

        private static func apply(_ damage: Damage, _ folder: ScratchFolder) throws {
            let file = try photoFile(folder)
            switch damage {
            case .missingFile: try FileManager.default.removeItem(at: file)
            case .emptyFile: try Data().write(to: file)
            case .folderInItsPlace:
                try FileManager.default.removeItem(at: file)
                try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            case .unknownMark, .noFileName:
                try FileManager.default.removeItem(at: file)
                let bytes = damage == .unknownMark ? "x'07616263'" : "x'02616263'"
                try PlainDatabase(folder.file()).execute(
                    "UPDATE ZITEM SET ZPHOTO = \(bytes) WHERE ZNAME = 'b'")
            }
        }

        /// Returns the place of b's photo, whether the file exists or not.
        static func photoFile(_ folder: ScratchFolder) throws -> URL {
            let stored = try PlainDatabase(folder.file()).rows("SELECT ZPHOTO FROM ZITEM WHERE ZNAME = 'b'")
            guard case .blob(let bytes) = stored[0][0], bytes.count == 38 else {
                throw CocoaError(.fileNoSuchFile)
            }
            let name = String(decoding: bytes[1...36], as: UTF8.self)
            return folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA/\(name)")
        }

        /// Returns a column of b's row.
        func stored(_ column: String = "ZPHOTO") throws -> PlainDatabase.Cell {
            try PlainDatabase(folder.file()).rows("SELECT \(column) FROM ZITEM WHERE Z_PK = \(key)")[0][0]
        }

        private var key: Int64 {
            (try? PlainDatabase(folder.file()).integer("SELECT Z_PK FROM ZITEM WHERE ZNAME LIKE 'b%'")) ?? 0
        }

        func files() throws -> [String] {
            let external = folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
            return try FileManager.default.contentsOfDirectory(atPath: external)
        }

        func item(_ name: String = "b", in other: NSManagedObjectContext? = nil) throws -> NSManagedObject {
            try #require(
                try (other ?? context).fetch("Item", "name BEGINSWITH %@", [name], sortedBy: nil).first)
        }
    }

    // MARK: Reading

    @Test(
        "An unreadable value is nil with an error that names object, key and file",
        arguments: Damage.allCases)
    func reading(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        let path = damage.hasFile ? try DamagedStore.photoFile(damaged.folder).path : nil
        try damaged.context.performAndWait {
            let item = try damaged.item()
            #expect(item.value(forKey: "photo") == nil)
            #expect(item.value(forKey: "name") as? String == "b")
            #expect(item.value(forKey: "scan") as? Data == Self.other)
            let error = try #require(item.readingError(forKey: "photo"))
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == damage.code)
            #expect(error.userInfo[NSFilePathErrorKey] as? String == path)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "photo")
            #expect((error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]) == [item])
            let uri = item.objectID.uriRepresentation().absoluteString
            #expect(error.localizedFailureReason?.contains("Item.photo of \(uri)") == true)
            #expect(item.readingError(forKey: "scan") == nil)
            #expect(item.readingError(forKey: "name") == nil)
            for name in ["a", "c"] {
                let other = try damaged.item(name)
                #expect(other.value(forKey: "photo") as? Data == Self.big)
                #expect(other.readingError(forKey: "photo") == nil)
            }
        }
    }

    @Test("Dictionaries leave out unreadable values and have the others", arguments: Damage.allCases)
    func dictionaries(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        try damaged.context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Item")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "photo", "scan"]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let rows = try damaged.context.fetch(request)
            #expect(rows.map { $0["photo"] as? Data } == [Self.big, nil, Self.big])
            #expect(rows.map { $0["scan"] as? Data } == [Self.other, Self.other, Self.other])
        }
    }

    @Test("A restored file is read after its object is refreshed")
    func recovery() throws {
        let damaged = try DamagedStore(.missingFile)
        try damaged.context.performAndWait {
            let item = try damaged.item()
            #expect(item.readingError(forKey: "photo") != nil)
            try Self.big.write(to: try DamagedStore.photoFile(damaged.folder))
            damaged.context.refresh(item, mergeChanges: false)
            #expect(item.value(forKey: "photo") as? Data == Self.big)
            #expect(item.readingError(forKey: "photo") == nil)
        }
    }

    // MARK: Saving

    @Test(
        "Saving other values keeps an unreadable value in its row, even a mandatory one",
        arguments: Damage.allCases)
    func saving(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        let (before, files) = (try damaged.stored(), try damaged.files())
        try damaged.context.performAndWait {
            let item = try damaged.item()
            item.setValue("b2", forKey: "name")
            item.setValue(Self.big, forKey: "scan")
            try damaged.context.save()
            #expect(item.value(forKey: "photo") == nil)
            #expect(item.readingError(forKey: "photo") != nil)
            item.setValue("b3", forKey: "name")
            try damaged.context.save()
        }
        #expect(try damaged.stored() == before)
        #expect(try damaged.stored("ZNAME") == .text("b3"))
        #expect(try damaged.files().count == files.count)
    }

    @Test(
        "A save that rewrites the whole row keeps unreadable values and existing files",
        arguments: Damage.allCases)
    func rewriting(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        let (before, files) = (try damaged.stored(), try damaged.files().count)
        let second = damaged.coordinator.context(.privateQueue)
        second.mergePolicy = NSMergePolicy.overwrite
        try second.performAndWait {
            let item = try damaged.item(in: second)
            item.setValue("b2", forKey: "name")
            try damaged.context.performAndWait {
                try damaged.item().setValue("b1", forKey: "name")
                try damaged.context.save()
            }
            try second.save()
        }
        #expect(try damaged.stored() == before)
        #expect(try damaged.stored("ZNAME") == .text("b2"))
        #expect(try damaged.files().count == files)
    }

    @Test("A nested context sees and saves the object like its parent", arguments: Damage.allCases)
    func nesting(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        let before = try damaged.stored()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = damaged.context
        try child.performAndWait {
            let item = try damaged.item(in: child)
            #expect(item.readingError(forKey: "photo")?.code == damage.code)
            item.setValue("b2", forKey: "name")
            try child.save()
        }
        try damaged.context.performAndWait { try damaged.context.save() }
        #expect(try damaged.stored() == before)
        #expect(try damaged.stored("ZNAME") == .text("b2"))
    }

    @Test("Setting a new value replaces an unreadable one, and undo restores it", arguments: Damage.allCases)
    func replacing(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        let before = try damaged.stored()
        try damaged.context.performAndWait {
            damaged.context.undoManager = UndoManager()
            let item = try damaged.item()
            item.setValue(Self.big, forKey: "photo")
            #expect(item.readingError(forKey: "photo") == nil)
            damaged.context.processPendingChanges()
            damaged.context.undo()
            #expect(item.readingError(forKey: "photo")?.code == damage.code)
            item.setValue("b2", forKey: "name")
            try damaged.context.save()
            #expect(try damaged.stored() == before)
            item.setValue(Self.other, forKey: "photo")
            try damaged.context.save()
        }
        let again = try OpenedStore(damaged.folder.file(), Self.model())
        try again.context.performAndWait {
            let item = try damaged.item(in: again.context)
            #expect(item.value(forKey: "photo") as? Data == Self.other)
        }
        #expect(try damaged.files().count == 6)
    }

    @Test("Setting nil clears the unreadable value, if the model allows nil")
    func clearing() throws {
        let damaged = try DamagedStore(.missingFile)
        try damaged.context.performAndWait {
            let item = try damaged.item()
            item.setValue(nil, forKey: "photo")
            #expect(item.hasChanges)
            #expect(item.readingError(forKey: "photo") == nil)
            let error = try #require(throws: NSError.self) { try damaged.context.save() }
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            damaged.context.rollback()
            #expect(item.readingError(forKey: "photo") != nil)
        }
        try PlainDatabase(damaged.folder.file()).execute(
            "UPDATE ZITEM SET ZSCAN = x'02' || CAST('\(UUID().uuidString)' AS BLOB) || x'00' WHERE ZNAME = 'b'"
        )
        try damaged.context.performAndWait {
            damaged.context.reset()
            let item = try damaged.item()
            #expect(item.readingError(forKey: "scan") != nil)
            item.setValue(nil, forKey: "scan")
            try damaged.context.save()
        }
        #expect(try damaged.stored("ZSCAN") == .null)
    }

    @Test("Batches keep an unreadable value, and can delete its row", arguments: Damage.allCases)
    func batches(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        let before = try damaged.stored()
        try damaged.context.performAndWait {
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = ["name": "bx"]
            update.predicate = NSPredicate(format: "name == 'b'")
            try damaged.context.execute(update)
            #expect(try damaged.stored() == before)
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            try damaged.context.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
        #expect(try PlainDatabase(damaged.folder.file()).integer("SELECT COUNT(*) FROM ZITEM") == 0)
        #expect(try damaged.files() == [])
    }

    @Test("An object with an unreadable value can be deleted completely", arguments: Damage.allCases)
    func deleting(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        try damaged.context.performAndWait {
            damaged.context.delete(try damaged.item())
            try damaged.context.save()
        }
        #expect(try damaged.files().count == 4)
    }

    // MARK: Moving

    @Test(
        "Copying a store with an unreadable value fails with its name and changes neither place",
        arguments: [NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
    func copying(_ type: String) throws {
        let damaged = try DamagedStore(.missingFile)
        let path = try DamagedStore.photoFile(damaged.folder).path
        let target = damaged.folder.file("target")
        let store = damaged.coordinator.persistentStores[0]
        let backup = Data("what lies there".utf8)
        try backup.write(to: target)
        let error = try #require(throws: NSError.self) {
            try damaged.coordinator.migratePersistentStore(store, to: target, options: nil, withType: type)
        }
        #expect(error.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == path)
        #expect(error.localizedFailureReason?.contains("Item.photo of p") == true)
        #expect(damaged.coordinator.persistentStores == [store])
        #expect(try Data(contentsOf: target) == backup)
    }

    @Test("A copy of the database keeps the row's content", arguments: Damage.allCases)
    func copyingTheDatabase(_ damage: Damage) throws {
        let damaged = try DamagedStore(damage)
        let before = try damaged.stored()
        let target = damaged.folder.file("target.sqlite")
        _ = try damaged.coordinator.migratePersistentStore(
            damaged.coordinator.persistentStores[0], to: target, options: nil, withType: NSSQLiteStoreType)
        #expect(try PlainDatabase(target).rows("SELECT ZPHOTO FROM ZITEM WHERE ZNAME = 'b'") == [[before]])
        let moved = damaged.coordinator.context(.privateQueue)
        try moved.performAndWait {
            let (item, other) = (try damaged.item(in: moved), try damaged.item("a", in: moved))
            // Only regular files are copied.
            let isMissing = damage == .folderInItsPlace
            let code = isMissing ? CocoaError.Code.fileReadNoSuchFile.rawValue : damage.code
            #expect(item.readingError(forKey: "photo")?.code == code)
            #expect(other.value(forKey: "photo") as? Data == Self.big)
        }
    }

    // MARK: In a process of its own

    private static let place = "CORE_DATA_TEST_UNREADABLE_STORE"
    private static let folderOfProcess = ProcessInfo.processInfo.environment[place].map {
        URL(fileURLWithPath: $0)
    }

    @Test("loggedReading: the body of the process whose log is read", .enabled(if: folderOfProcess != nil))
    func loggedReading() throws {
        let opened = try OpenedStore(try #require(Self.folderOfProcess), Self.model())
        try opened.context.performAndWait {
            for _ in 0..<2 {
                let items = try opened.context.fetch("Item", nil, [], sortedBy: nil)
                #expect(items.compactMap { $0.value(forKey: "photo") }.count == 2)
                opened.context.reset()
            }
        }
    }

    @Test("The log names object, key and file once", arguments: [Damage.missingFile, .unknownMark])
    func log(_ damage: Damage) async throws {
        let damaged = try DamagedStore(damage)
        let uri = try damaged.context.performAndWait { try damaged.item().objectID.uriRepresentation() }
        let reader = try TestProcess(
            "loggedReading", in: damaged.folder, environment: [Self.place: damaged.folder.file().path])
        let isWell = await reader.ended()
        #expect(isWell, "\(reader.output)")
        let lines = reader.output.components(separatedBy: "\n").filter { $0.contains("cannot be read") }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.contains("com.apple.coredata"))
        #expect(line.contains("error"))
        #expect(line.contains("Item.photo of \(uri.absoluteString)"))
        if damage.hasFile { #expect(line.contains(try DamagedStore.photoFile(damaged.folder).path)) }
    }
}
