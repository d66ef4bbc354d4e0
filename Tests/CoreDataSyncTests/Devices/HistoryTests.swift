import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Stores whose history or whose past is gone")
struct HistoryTests {
    @Test("Edits and deletions whose history is deleted are found, and nothing is there twice")
    func pruned() async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        try device.edit { context in
            for title in ["a", "b", "c"] { _ = context.insert("Book", ["title": title]) }
        }
        try await pair.sync()
        try device.edit { context in
            try context.all("Book")[0].setValue("A", forKey: "title")
            context.delete(try context.all("Book")[1])
            _ = context.insert("Book", ["title": "d"])
        }
        try device.pruneHistory()
        try await pair.sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == ["A", "c", "d"])
    }

    @Test("Objects that are missing in great number are not deleted elsewhere")
    func missing() async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        try device.edit { context in
            for number in 0..<120 { _ = context.insert("Book", ["title": "\(number)"]) }
        }
        try await pair.sync()
        try device.edit { context in for book in try context.all("Book").prefix(60) { context.delete(book) } }
        try device.pruneHistory()
        try await device.sync()
        #expect(device.engine!.ledger.issues.contains(.missingObjects(60)))
        #expect(pair.server.objects("Book").count == 120)
    }

    @Test("A server whose data is gone gets all of it back, and no store loses an object")
    func emptyServer() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { context in
            let book = context.insert("Book", ["title": "a"])
            _ = context.insert("Book", ["title": "gone"])
            book.setValue(NSSet(object: context.insert("Tag", ["name": "t"])), forKey: "tags")
        }
        try await pair.sync()
        try pair.devices[0].edit { context in
            for book in try context.all("Book") where book.value(forKey: "title") as? String == "gone" {
                context.delete(book)
            }
        }
        try await pair.sync()
        try pair.devices[1].edit { _ = $0.insert("Book", ["title": "b"]) }
        pair.server.storage = DictionaryStorage(schema: pair.server.storage.schema)
        // As a server does that makes a zone.
        pair.server.storage.header.epoch = 7
        try await pair.sync()
        for device in pair.devices { #expect(try device.texts("title", of: "Book") == ["a", "b"]) }
        #expect(pair.server.objects("Book").count == 2)
        #expect(pair.server.storage.rows.keys.filter { $0.object == nil }.count == 1)
    }

    /// Makes a device whose store is replaced by an older copy, to which somebody has added an object.
    private func restoreOlderCopy() async throws -> Pair {
        let pair = try Pair()
        let device = pair.devices[0]
        try device.edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        try device.close()
        let files = ["", "-wal", "-shm"].map { device.folder.appendingPathComponent("Library.sqlite" + $0) }
        for file in files {
            try? FileManager.default.copyItem(at: file, to: file.appendingPathExtension("copy"))
        }
        try device.reopen()
        try device.edit { _ = $0.insert("Book", ["title": "b"]) }
        try await pair.sync()
        try device.close()
        for file in files {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.moveItem(at: file.appendingPathExtension("copy"), to: file)
        }
        try device.reopen()
        return pair
    }

    @Test("A store that is an older copy becomes what the server has")
    func olderCopy() async throws {
        let pair = try await restoreOlderCopy()
        try await pair.sync()
        for device in pair.devices { #expect(try device.texts("title", of: "Book") == ["a", "b"]) }
    }

    @Test(
        "What only an older copy has is not sent or deleted before the app has decided",
        arguments: [UnknownObjects.upload, .drop])
    func decision(decision: UnknownObjects) async throws {
        let pair = try await restoreOlderCopy()
        let device = pair.devices[0]
        try device.edit { _ = $0.insert("Book", ["title": "c"]) }
        try await device.sync()
        #expect(device.engine!.ledger.issues.contains(.unknownObjects(1)))
        #expect(pair.server.objects("Book").count == 2)
        #expect(try device.texts("title", of: "Book") == ["a", "c"])
        _ = try await device.handle(.decided(decision))
        try await pair.sync()
        for device in pair.devices {
            let titles = try device.texts("title", of: "Book")
            #expect(titles == (decision == .upload ? ["a", "b", "c"] : ["a", "b"]))
        }
    }

    @Test("Objects keep their identity when a migration gives their entity another root")
    func otherRoot() async throws {
        let model = LibraryModel.make { entities in
            let item = NSEntityDescription()
            item.name = "Item"
            item.isAbstract = true
            item.subentities = [entities["Loan"]!, entities["Tag"]!]
            entities["Item"] = item
        }
        let pair = try Pair(serving: model)
        let device = pair.devices[0]
        try device.edit { context in
            for number in 1...3 {
                let loan = context.insert("Loan", ["note": "\(number)"])
                loan.setValue(context.insert("Tag", ["name": "t\(number)"]), forKey: "tag")
            }
        }
        try await pair.sync()
        try device.close()
        try device.reopen(with: model)
        try await pair.sync()
        #expect(pair.server.objects("Loan").count == 3)
        #expect(pair.server.objects("Tag").count == 3)
        #expect(try device.texts("note", of: "Loan") == ["1", "2", "3"])
    }

    @Test("A store without its ledger is replaced by what the server has, or uploaded, as the app says")
    func withoutLedger() async throws {
        for decision in [StoreDecision.replaceByServer, .uploadAsNew] {
            let pair = try Pair()
            let device = pair.devices[0]
            try device.edit { _ = $0.insert("Book", ["title": "a"]) }
            try await pair.sync()
            try device.edit { _ = $0.insert("Book", ["title": "b"]) }
            try device.close()
            let ledger = LedgerFile.url(beside: device.folder.appendingPathComponent("Library.sqlite"))
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: ledger.path + suffix)
            }
            try device.reopen()
            await #expect(throws: StoreSyncError.needsDecision(.ledgerLost)) { try await device.open() }
            try await device.open(decision: decision)
            try await pair.sync()
            let titles = try pair.devices[1].texts("title", of: "Book")
            #expect(titles == (decision == .uploadAsNew ? ["a", "b"] : ["a"]))
            let lost = device.engine!.issues.conflicts.map(\.value)
            #expect(lost == (decision == .uploadAsNew ? [] : [.string("b")]))
        }
    }

    @Test(
        "Edits and issues that wait in a ledger survive that its store is replaced, whatever the app decides",
        arguments: [StoreDecision.replaceByServer, .uploadAsNew])
    func waitingEdits(decision: StoreDecision) async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        try device.edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        pair.server.isReachable = false
        try device.edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        try await device.sync()
        try device.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(
                at: device.folder.appendingPathComponent("Library.sqlite" + suffix))
        }
        try device.reopen()
        pair.server.isReachable = true
        await #expect(throws: StoreSyncError.needsDecision(.otherStore)) { try await device.open() }
        try await device.open(decision: decision)
        try await pair.sync()
        for device in pair.devices { #expect(try device.texts("title", of: "Book") == ["b"]) }
    }

    @Test("A ledger that is lost and one of another store are noticed")
    func foreignLedger() async throws {
        let pair = try Pair()
        for device in pair.devices { try device.edit { _ = $0.insert("Book", ["title": "a"]) } }
        try await pair.sync()
        for device in pair.devices { try device.close() }
        let places = pair.devices.map {
            LedgerFile.url(beside: $0.folder.appendingPathComponent("Library.sqlite"))
        }
        for suffix in ["", "-wal", "-shm"] {
            let files = places.map { URL(fileURLWithPath: $0.path + suffix) }
            try? FileManager.default.removeItem(at: files[0])
            try? FileManager.default.moveItem(at: files[1], to: files[0])
        }
        for device in pair.devices { try device.reopen() }
        await #expect(throws: StoreSyncError.needsDecision(.otherStore)) { try await pair.devices[0].open() }
        await #expect(throws: StoreSyncError.needsDecision(.ledgerLost)) { try await pair.devices[1].open() }
    }

    @Test("A store without a history, and a ledger that is open elsewhere, are refused")
    func refusals() async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        try await device.open()
        let url = LedgerFile.url(beside: device.folder.appendingPathComponent("Library.sqlite"))
        #expect(throws: StoreSyncError.busy(url.appendingPathExtension("lock").path)) {
            try LedgerFile(at: url)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: device.folder.appendingPathComponent("other.sqlite"))
        let options = SyncOptions(transport: try InMemorySyncServer(model: LibraryModel.make()).transport)
        #expect(throws: StoreSyncError.self) {
            try StoreSynchronizer(store, in: coordinator, options: options)
        }
    }
}
