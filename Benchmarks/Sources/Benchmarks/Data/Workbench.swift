import CoreData
import Foundation
import RawLoops

/// The files and the data the benchmarks work on.
final class Workbench {
    let sizes: Sizes
    let samples: [Sample]
    let rawItems: RawItems
    /// A store with `sizes.rows` rows; only read.
    let fullPath: String
    private let emptyPath: String
    private let folder: URL
    private let model = Item.makeModel()
    private var copies = 0

    init(_ sizes: Sizes) throws {
        self.sizes = sizes
        samples = (0..<sizes.rows).map(Sample.init)
        rawItems = RawItems(samples)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "Benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        emptyPath = folder.appendingPathComponent("empty.sqlite").path
        fullPath = folder.appendingPathComponent("full.sqlite").path
        try Stack(emptyPath, model).close()
        try FileManager.default.copyItem(atPath: emptyPath, toPath: fullPath)
        let stack = try Stack(fullPath, model)
        let context = stack.makeContext()
        for sample in samples { Item(context: context).fill(from: sample) }
        try context.save()
        try stack.close()
    }

    deinit {
        // Left over, it would only take room until the system cleans up.
        try? FileManager.default.removeItem(at: folder)
    }

    func stack(_ path: String) throws -> Stack { try Stack(path, model) }

    func rawStore(_ path: String) throws -> OpaquePointer {
        guard let store = raw_open(path) else { throw BenchmarkError("\(path) cannot be opened") }
        return store
    }

    /// Runs a body on a copy of the store that is full or empty.
    func withCopy<Result>(full: Bool, _ body: (String) throws -> Result) throws -> Result {
        copies += 1
        let path = folder.appendingPathComponent("copy-\(copies).sqlite").path
        try FileManager.default.copyItem(atPath: full ? fullPath : emptyPath, toPath: path)
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        return try body(path)
    }

    /// Keys in random order, the same in every run.
    func randomKeys(_ count: Int) -> [Int64] {
        var random = RandomNumbers(seed: 42)
        return (0..<count).map { _ in Int64.random(in: 1...Int64(sizes.rows), using: &random) }
    }
}

/// A coordinator with one store.
final class Stack {
    private let coordinator: NSPersistentStoreCoordinator
    private let store: NSPersistentStore

    init(_ path: String, _ model: NSManagedObjectModel) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
    }

    func makeContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close() throws { try coordinator.remove(store) }
}

/// How much work a run is.
struct Sizes {
    let rows: Int
    let faults: Int
    let pauses: Int
    let inserts: Int
    let changes: Int
    let reads: Int
    /// Rows of the smaller of two batches; the larger one has ten times as many.
    let batch: Int

    static let full = Sizes(
        rows: 100_000, faults: 20_000, pauses: 60, inserts: 50_000, changes: 10_000, reads: 2_000_000,
        batch: 100_000)
    static let quick = Sizes(
        rows: 20_000, faults: 5000, pauses: 15, inserts: 10_000, changes: 4000, reads: 400_000,
        batch: 20_000)
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
