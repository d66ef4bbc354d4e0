import CSQLite
import Foundation
import Testing

@testable import CoreData

/// Like `FailingDiskTests`, for batches, which change many rows unread.
@Suite("Batches on failing disks")
struct FailingBatchTests {
    enum Batch: CaseIterable {
        case insertion, update, deletion
    }

    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Book
              name string!
              pages int32
              cover external
              unique name
            """
        ).model
    }

    private static func context(_ url: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSPersistentHistoryTrackingKey: true as NSNumber, NSPersistentStoreTimeoutOption: 0.05,
            ])
        let context = coordinator.context(.privateQueue)
        // Rows with taken names are written again.
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    private static let count = 600
    private static let cover = Data(repeating: 7, count: 200_000)

    private static func fill(_ context: NSManagedObjectContext) throws {
        let rows = (0..<count).map { number -> [String: Any] in
            ["name": "\(number)", "pages": number, "cover": number == 5 ? cover : Data([1])]
        }
        try context.performAndWait {
            _ = try context.execute(NSBatchInsertRequest(entityName: "Book", objects: rows))
        }
    }

    private static func run(_ batch: Batch, _ context: NSManagedObjectContext) throws {
        let request: NSPersistentStoreRequest
        switch batch {
        case .insertion:
            // Every second name is taken; two of the rows have a file.
            request = NSBatchInsertRequest(
                entityName: "Book",
                objects: (0..<count).map { number -> [String: Any] in
                    ["name": "\(2 * number)", "pages": -1, "cover": number % 350 == 3 ? cover : Data([2])]
                })
        case .update:
            let update = NSBatchUpdateRequest(entityName: "Book")
            update.propertiesToUpdate = ["pages": -1, "cover": Data([2])]
            request = update
        case .deletion:
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            fetch.predicate = NSPredicate(format: "pages < 450")
            request = NSBatchDeleteRequest(fetchRequest: fetch)
        }
        _ = try context.performAndWait { try context.execute(request) }
    }

    /// Rows, written ones, rows with a file; files; transactions of the history.
    private static func contents(_ context: NSManagedObjectContext, _ folder: ScratchFolder) throws -> [Int] {
        try context.performAndWait {
            let books = try context.fetch("Book", nil, [], sortedBy: nil)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            request.resultType = .transactionsOnly
            let history = try context.execute(request) as? NSPersistentHistoryResult
            let files = folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
            return [
                books.count, books.count { $0.value(forKey: "pages") as? Int == -1 },
                books.count { ($0.value(forKey: "cover") as? Data)?.count == cover.count },
                (try? FileManager.default.contentsOfDirectory(atPath: files).count) ?? 0,
                (history?.result as? [NSPersistentHistoryTransaction])?.count ?? -1,
            ]
        }
    }

    private static let old = [600, 0, 1, 1, 1]
    private static func new(_ batch: Batch) -> [Int] {
        switch batch {
        case .insertion: [900, 600, 3, 3, 2]
        case .update: [600, 600, 0, 0, 2]
        case .deletion: [150, 0, 0, 0, 2]
        }
    }

    private static let faults: [(operation: FaultyFiles.Fault.Operation, code: Int32)] = [
        (.write, SQLITE_FULL), (.write, SQLITE_IOERR | 3 << 8), (.sync, SQLITE_IOERR | 4 << 8),
        (.read, SQLITE_CORRUPT), (.lock, SQLITE_BUSY),
    ]

    @Test(
        "Any failed operation throws, leaves the store unchanged, and a retry succeeds",
        arguments: Batch.allCases, faults)
    func batch(_ batch: Batch, _ kind: (operation: FaultyFiles.Fault.Operation, code: Int32)) throws {
        // SQLite waits seconds for a lock, which is the same for every batch.
        if kind.operation == .lock, batch != .insertion { return }
        var failures = 0
        // The first operations one by one, then in growing steps: failures late in a long batch are alike.
        var count = 0
        while count < 3000 {
            defer { count += 1 + count / 2 }
            let folder = try ScratchFolder()
            let url = folder.file()
            FaultyFiles.watch(url.path)
            let context = try Self.context(url)
            try Self.fill(context)
            let fault = FaultyFiles.Fault(kind.operation, kind.code, after: count)
            FaultyFiles.arm(fault, at: url.path)
            defer { FaultyFiles.clear(url.path) }
            do {
                try Self.run(batch, context)
                fault.disarm()
            } catch {
                failures += 1
                fault.disarm()
                #expect((error as NSError).domain == NSCocoaErrorDomain)
                let seen = try Self.contents(try Self.context(url), folder)
                #expect(seen == Self.old || seen == Self.new(batch), "\(count)")
                if seen == Self.old { try Self.run(batch, context) }
            }
            #expect(try Self.contents(context, folder) == Self.new(batch), "after \(count)")
            if !fault.hasFired { break }
        }
        #expect(failures > 0 || kind.operation == .sync || kind.operation == .read)
    }
}
