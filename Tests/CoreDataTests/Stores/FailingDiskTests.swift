import CSQLite
import Foundation
import Testing

@testable import CoreData

@Suite("Failing disks")
struct FailingDiskTests {
    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Shelf
              name string
              books ->>> Book.shelf
            Book
              name string
              cover external
              shelf -> Shelf.books
            """
        ).model
    }

    private static func opened(_ url: URL) throws -> OpenedStore {
        try OpenedStore(
            url, model(),
            options: [
                NSPersistentHistoryTrackingKey: true as NSNumber, NSPersistentStoreTimeoutOption: 0.05,
            ])
    }

    private static let old = ["old", "a 0", "b 0", "c 0"]
    private static let new = ["new", "d 200000", "a 0", "c 0"]

    @Test(
        "Any failed operation of a save throws and loses nothing, and a retry succeeds",
        arguments: [
            (FaultyFiles.Fault.Operation.write, SQLITE_FULL), (.write, SQLITE_IOERR | 3 << 8),
            (.sync, SQLITE_IOERR | 4 << 8), (.read, SQLITE_IOERR | 1 << 8), (.read, SQLITE_CORRUPT),
            (.lock, SQLITE_BUSY),
        ])
    func save(_ operation: FaultyFiles.Fault.Operation, _ code: Int32) throws {
        var failures = 0
        for count in 0..<200 {
            let folder = try ScratchFolder()
            let url = folder.file()
            FaultyFiles.watch(url.path)
            let opened = try Self.opened(url)
            try opened.fill()
            try opened.context.performAndWait { try opened.change() }
            let fault = FaultyFiles.Fault(operation, code, after: count)
            FaultyFiles.arm(fault, at: url.path)
            defer { FaultyFiles.clear(url.path) }
            do {
                try opened.context.performAndWait { try opened.context.save() }
            } catch {
                failures += 1
                #expect((error as NSError).domain == NSCocoaErrorDomain)
                #expect(opened.context.performAndWait { opened.context.hasChanges })
                fault.disarm()
                let seen = try Self.opened(url).contents()
                #expect(seen == Self.old || seen == Self.new, "\(count)")
                #expect(try opened.contents() == Self.new, "what the context holds after \(count)")
                try opened.context.performAndWait { try opened.context.save() }
            }
            fault.disarm()
            #expect(try Self.opened(url).contents() == Self.new, "what is stored after \(count)")
            let external = folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: external).count == 1)
            if !fault.hasFired { break }
        }
        #expect(failures > 0 || operation == .sync || operation == .read)
    }

    // MARK: Memory

    private static let environment = ProcessInfo.processInfo.environment
    private static let place = "CORE_DATA_TEST_MEMORY_FOLDER"

    @Test(
        "Any failed allocation in SQLite throws and loses nothing, and a retry succeeds"
    )
    func memory() async throws {
        let folder = try ScratchFolder()
        let process = try TestProcess(
            "savingWithoutMemory", in: folder, environment: [Self.place: folder.url.path])
        let isWell = await process.ended()
        #expect(isWell, "\(process.output)")
    }

    /// SQLite's limit applies to the whole process.
    @Test("savingWithoutMemory: the body of the other process", .enabled(if: environment[place] != nil))
    func savingWithoutMemory() throws {
        let folder = URL(fileURLWithPath: try #require(Self.environment[Self.place]))
        // Before the framework disables SQLite's memory statistics, without which there is no limit.
        sqlite3_initialize()
        defer { sqlite3_hard_heap_limit64(0) }
        var failures = 0
        for step in 0..<400 {
            let url = folder.appendingPathComponent("store\(step)")
            let opened = try Self.opened(url)
            try opened.fill()
            try opened.context.performAndWait { try opened.change() }
            sqlite3_hard_heap_limit64(sqlite3_memory_used() + Int64(step) * 1000)
            let result = opened.context.performAndWait { Result { try opened.context.save() } }
            sqlite3_hard_heap_limit64(0)
            if case .failure(let error) = result {
                failures += 1
                #expect((error as NSError).domain == NSCocoaErrorDomain)
                let seen = try Self.opened(url).contents()
                #expect(seen == Self.old || seen == Self.new, "\(step)")
                try opened.context.performAndWait { try opened.context.save() }
            }
            #expect(try Self.opened(url).contents() == Self.new, "\(step)")
            if case .success = result, step > 0 { break }
        }
        #expect(failures > 0)
    }
}

extension OpenedStore {
    /// Inserts a shelf with three books.
    fileprivate func fill() throws {
        try context.performAndWait {
            let books = ["a", "b", "c"].map { context.insert("Book", ["name": $0]) }
            _ = context.insert("Shelf", ["name": "old", "books": NSOrderedSet(array: books)])
            try context.save()
        }
    }

    /// Renames one book, deletes one, and inserts one with a large cover at the front.
    fileprivate func change() throws {
        let shelf = try context.fetch("Shelf", nil, [], sortedBy: nil)[0]
        shelf.setValue("new", forKey: "name")
        let books = shelf.mutableOrderedSetValue(forKey: "books")
        context.delete(books[1] as! NSManagedObject)
        let cover = Data(repeating: 7, count: 200_000)
        books.insert(context.insert("Book", ["name": "d", "cover": cover]), at: 0)
    }

    fileprivate func contents() throws -> [String] {
        try context.performAndWait {
            try context.fetch("Shelf", nil, [], sortedBy: nil).flatMap { shelf in
                let books =
                    (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
                return ["\(shelf.value(forKey: "name") ?? "")"]
                    + books.map { book in
                        "\(book.value(forKey: "name") ?? "") \((book.value(forKey: "cover") as? Data)?.count ?? 0)"
                    }
            }
        }
    }
}
