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
    private struct Stack {
        let folder: ScratchFolder
        let coordinator: NSPersistentStoreCoordinator
        let context: NSManagedObjectContext

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
            let again = try OpenedStore(folder.file(), UnreadableValueTests.model())
            (coordinator, context) = (again.coordinator, again.context)
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
        let stack = try Stack(damage)
        let path = damage.hasFile ? try Stack.photoFile(stack.folder).path : nil
        try stack.context.performAndWait {
            let item = try stack.item()
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
                let other = try stack.item(name)
                #expect(other.value(forKey: "photo") as? Data == Self.big)
                #expect(other.readingError(forKey: "photo") == nil)
            }
        }
    }

    @Test("Dictionaries leave out unreadable values and have the others", arguments: Damage.allCases)
    func dictionaries(_ damage: Damage) throws {
        let stack = try Stack(damage)
        try stack.context.performAndWait {
            let request = NSFetchRequest<NSDictionary>(entityName: "Item")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "photo", "scan"]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let rows = try stack.context.fetch(request)
            #expect(rows.map { $0["photo"] as? Data } == [Self.big, nil, Self.big])
            #expect(rows.map { $0["scan"] as? Data } == [Self.other, Self.other, Self.other])
        }
    }

    @Test("A restored file is read after its object is refreshed")
    func recovery() throws {
        let stack = try Stack(.missingFile)
        try stack.context.performAndWait {
            let item = try stack.item()
            #expect(item.readingError(forKey: "photo") != nil)
            try Self.big.write(to: try Stack.photoFile(stack.folder))
            stack.context.refresh(item, mergeChanges: false)
            #expect(item.value(forKey: "photo") as? Data == Self.big)
            #expect(item.readingError(forKey: "photo") == nil)
        }
    }

    // MARK: Saving

    @Test(
        "Saving other values keeps an unreadable value in its row, even a mandatory one",
        arguments: Damage.allCases)
    func saving(_ damage: Damage) throws {
        let stack = try Stack(damage)
        let (before, files) = (try stack.stored(), try stack.files())
        try stack.context.performAndWait {
            let item = try stack.item()
            item.setValue("b2", forKey: "name")
            item.setValue(Self.big, forKey: "scan")
            try stack.context.save()
            #expect(item.value(forKey: "photo") == nil)
            #expect(item.readingError(forKey: "photo") != nil)
            item.setValue("b3", forKey: "name")
            try stack.context.save()
        }
        #expect(try stack.stored() == before)
        #expect(try stack.stored("ZNAME") == .text("b3"))
        #expect(try stack.files().count == files.count)
    }

    @Test(
        "A save that rewrites the whole row keeps unreadable values and existing files",
        arguments: Damage.allCases)
    func rewriting(_ damage: Damage) throws {
        let stack = try Stack(damage)
        let (before, files) = (try stack.stored(), try stack.files().count)
        let second = stack.coordinator.context(.privateQueue)
        second.mergePolicy = NSMergePolicy.overwrite
        try second.performAndWait {
            let item = try stack.item(in: second)
            item.setValue("b2", forKey: "name")
            try stack.context.performAndWait {
                try stack.item().setValue("b1", forKey: "name")
                try stack.context.save()
            }
            try second.save()
        }
        #expect(try stack.stored() == before)
        #expect(try stack.stored("ZNAME") == .text("b2"))
        #expect(try stack.files().count == files)
    }

    @Test("A nested context sees and saves the object like its parent", arguments: Damage.allCases)
    func nesting(_ damage: Damage) throws {
        let stack = try Stack(damage)
        let before = try stack.stored()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        try child.performAndWait {
            let item = try stack.item(in: child)
            #expect(item.readingError(forKey: "photo")?.code == damage.code)
            item.setValue("b2", forKey: "name")
            try child.save()
        }
        try stack.context.performAndWait { try stack.context.save() }
        #expect(try stack.stored() == before)
        #expect(try stack.stored("ZNAME") == .text("b2"))
    }

    @Test("Setting a new value replaces an unreadable one, and undo restores it", arguments: Damage.allCases)
    func replacing(_ damage: Damage) throws {
        let stack = try Stack(damage)
        let before = try stack.stored()
        try stack.context.performAndWait {
            stack.context.undoManager = UndoManager()
            let item = try stack.item()
            item.setValue(Self.big, forKey: "photo")
            #expect(item.readingError(forKey: "photo") == nil)
            stack.context.processPendingChanges()
            stack.context.undo()
            #expect(item.readingError(forKey: "photo")?.code == damage.code)
            item.setValue("b2", forKey: "name")
            try stack.context.save()
            #expect(try stack.stored() == before)
            item.setValue(Self.other, forKey: "photo")
            try stack.context.save()
        }
        let again = try OpenedStore(stack.folder.file(), Self.model())
        try again.context.performAndWait {
            let item = try stack.item(in: again.context)
            #expect(item.value(forKey: "photo") as? Data == Self.other)
        }
        #expect(try stack.files().count == 6)
    }

    @Test("Setting nil clears the unreadable value, if the model allows nil")
    func clearing() throws {
        let stack = try Stack(.missingFile)
        try stack.context.performAndWait {
            let item = try stack.item()
            item.setValue(nil, forKey: "photo")
            #expect(item.hasChanges)
            #expect(item.readingError(forKey: "photo") == nil)
            let error = try #require(throws: NSError.self) { try stack.context.save() }
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            stack.context.rollback()
            #expect(item.readingError(forKey: "photo") != nil)
        }
        try PlainDatabase(stack.folder.file()).execute(
            "UPDATE ZITEM SET ZSCAN = x'02' || CAST('\(UUID().uuidString)' AS BLOB) || x'00' WHERE ZNAME = 'b'"
        )
        try stack.context.performAndWait {
            stack.context.reset()
            let item = try stack.item()
            #expect(item.readingError(forKey: "scan") != nil)
            item.setValue(nil, forKey: "scan")
            try stack.context.save()
        }
        #expect(try stack.stored("ZSCAN") == .null)
    }

    @Test("Batches keep an unreadable value, and can delete its row", arguments: Damage.allCases)
    func batches(_ damage: Damage) throws {
        let stack = try Stack(damage)
        let before = try stack.stored()
        try stack.context.performAndWait {
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = ["name": "bx"]
            update.predicate = NSPredicate(format: "name == 'b'")
            try stack.context.execute(update)
            #expect(try stack.stored() == before)
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            try stack.context.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
        #expect(try PlainDatabase(stack.folder.file()).integer("SELECT COUNT(*) FROM ZITEM") == 0)
        #expect(try stack.files() == [])
    }

    @Test("An object with an unreadable value can be deleted completely", arguments: Damage.allCases)
    func deleting(_ damage: Damage) throws {
        let stack = try Stack(damage)
        try stack.context.performAndWait {
            stack.context.delete(try stack.item())
            try stack.context.save()
        }
        #expect(try stack.files().count == 4)
    }

    // MARK: Moving

    @Test(
        "Copying a store with an unreadable value fails with its name and changes neither place",
        arguments: [NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
    func copying(_ type: String) throws {
        let stack = try Stack(.missingFile)
        let path = try Stack.photoFile(stack.folder).path
        let target = stack.folder.file("target")
        let store = stack.coordinator.persistentStores[0]
        let backup = Data("what lies there".utf8)
        try backup.write(to: target)
        let error = try #require(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(store, to: target, options: nil, withType: type)
        }
        #expect(error.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == path)
        #expect(error.localizedFailureReason?.contains("Item.photo of p") == true)
        #expect(stack.coordinator.persistentStores == [store])
        #expect(try Data(contentsOf: target) == backup)
    }

    @Test("A copy of the database keeps the row's content", arguments: Damage.allCases)
    func copyingTheDatabase(_ damage: Damage) throws {
        let stack = try Stack(damage)
        let before = try stack.stored()
        let target = stack.folder.file("target.sqlite")
        _ = try stack.coordinator.migratePersistentStore(
            stack.coordinator.persistentStores[0], to: target, options: nil, withType: NSSQLiteStoreType)
        #expect(try PlainDatabase(target).rows("SELECT ZPHOTO FROM ZITEM WHERE ZNAME = 'b'") == [[before]])
        let moved = stack.coordinator.context(.privateQueue)
        try moved.performAndWait {
            let (item, other) = (try stack.item(in: moved), try stack.item("a", in: moved))
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
        let stack = try Stack(damage)
        let uri = try stack.context.performAndWait { try stack.item().objectID.uriRepresentation() }
        let reader = try TestProcess(
            "loggedReading", in: stack.folder, environment: [Self.place: stack.folder.file().path])
        let isWell = await reader.ended()
        #expect(isWell, "\(reader.output)")
        let lines = reader.output.components(separatedBy: "\n").filter { $0.contains("cannot be read") }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.contains("com.apple.coredata"))
        #expect(line.contains("error"))
        #expect(line.contains("Item.photo of \(uri.absoluteString)"))
        if damage.hasFile { #expect(line.contains(try Stack.photoFile(stack.folder).path)) }
    }
}
