import CSQLite
import Foundation
import Testing

@testable import CoreData

/// Like `FailingDiskTests`, for moves from one store to another.
@Suite("Moving stores on failing disks")
struct FailingMoveTests {
    enum Move: CaseIterable {
        /// A SQLite store is copied to an empty place.
        case copy
        /// Objects are copied from an XML store to a new SQLite store.
        case conversion
        /// A SQLite store replaces another.
        case replacement

        var sourceType: String { self == .conversion ? NSXMLStoreType : NSSQLiteStoreType }
    }

    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Book
              name string
              cover external
            """
        ).model
    }

    private static var options: [AnyHashable: Any] { [NSPersistentStoreTimeoutOption: 0.05] }

    private static func opened(_ url: URL, _ type: String = NSSQLiteStoreType) throws -> OpenedStore {
        try OpenedStore(url, model(), type: type, options: type == NSSQLiteStoreType ? options : nil)
    }

    private static let new = [120, 3 * 200_000 + 117 * 100]
    private static let old = [60, 2 * 200_000 + 58 * 100]

    private static let faults: [(operation: FaultyFiles.Fault.Operation, code: Int32)] = [
        (.write, SQLITE_FULL), (.write, SQLITE_IOERR | 3 << 8), (.sync, SQLITE_IOERR | 4 << 8),
        (.read, SQLITE_CORRUPT),
    ]

    @Test(
        "Any failed operation keeps the source, and leaves the old, the new or no destination",
        arguments: Move.allCases, faults)
    func move(_ move: Move, _ kind: (operation: FaultyFiles.Fault.Operation, code: Int32)) throws {
        var failures = 0
        var count = 0
        while count < 3000 {
            defer { count += 1 + count / 2 }
            let folder = try ScratchFolder()
            let (source, target) = (folder.file("source"), folder.file("target"))
            let opened = try Self.opened(source, move.sourceType)
            try opened.fill(120)
            if move == .replacement {
                let former = try Self.opened(target)
                try former.fill(60)
                try former.coordinator.remove(former.coordinator.persistentStores[0])
            }
            // The target, and the files made beside it.
            FaultyFiles.watch(folder.url.path)
            let fault = FaultyFiles.Fault(kind.operation, kind.code, after: count)
            FaultyFiles.arm(fault, at: folder.url.path)
            defer { FaultyFiles.clear(folder.url.path) }
            do {
                try Self.run(move, opened, source, target)
                fault.disarm()
            } catch {
                failures += 1
                fault.disarm()
                #expect((error as NSError).domain == NSCocoaErrorDomain, "\(error)")
                #expect(try opened.contents() == Self.new, "the source after \(count)")
                #expect(opened.coordinator.persistentStores.map(\.url?.lastPathComponent) == ["source"])
                if move == .replacement {
                    let seen = try Self.opened(target).contents()
                    #expect(seen == Self.old || seen == Self.new, "\(count)")
                } else {
                    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
                    let isWhole = try names.contains("target") && Self.opened(target).contents() == Self.new
                    #expect(isWhole || !names.contains { $0.contains("target") }, "\(count): \(names)")
                }
                try Self.run(move, opened, source, target)
            }
            let moved = try Self.opened(target)
            #expect(try moved.contents() == Self.new, "after \(count)")
            let files = folder.url.appendingPathComponent(".target_SUPPORT/_EXTERNAL_DATA").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == 3, "\(count)")
            if !fault.hasFired { break }
        }
        #expect(failures > 0 || kind.operation != .write)
    }

    @Test("A destination locked for longer than the timeout is left alone")
    func locked() throws {
        let folder = try ScratchFolder()
        let (source, target) = (folder.file("source"), folder.file("target"))
        let (opened, former) = (try Self.opened(source), try Self.opened(target))
        try opened.fill(120)
        try former.fill(60)
        let other = try PlainDatabase(target)
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: NSError.self) { try Self.run(.replacement, opened, source, target) }
        #expect(error?.code == NSPersistentStoreTimeoutError)
        #expect(try former.contents() == Self.old)
        try other.execute("ROLLBACK")
        try Self.run(.replacement, opened, source, target)
        #expect(try Self.opened(target).contents() == Self.new)
    }

    private static func run(_ move: Move, _ opened: OpenedStore, _ source: URL, _ target: URL) throws {
        if move == .replacement {
            try opened.coordinator.replacePersistentStore(
                at: target, destinationOptions: options, withPersistentStoreFrom: source,
                ofType: NSSQLiteStoreType)
        } else {
            try opened.coordinator.migratePersistentStore(
                opened.coordinator.persistentStores[0], to: target, options: options,
                withType: NSSQLiteStoreType)
        }
    }
}

extension OpenedStore {
    fileprivate func fill(_ count: Int) throws {
        try context.performAndWait {
            for number in 0..<count {
                let cover = Data(repeating: 7, count: number % 50 == 0 ? 200_000 : 100)
                _ = context.insert("Book", ["name": "\(number)", "cover": cover])
            }
            try context.save()
        }
    }

    /// Returns the number of objects and the bytes of their values.
    fileprivate func contents() throws -> [Int] {
        try context.performAndWait {
            context.reset()
            let covers = try context.fetch("Book", nil, [], sortedBy: nil)
                .map { ($0.value(forKey: "cover") as? Data)?.count ?? 0 }
            return [covers.count, covers.reduce(0, +)]
        }
    }
}
