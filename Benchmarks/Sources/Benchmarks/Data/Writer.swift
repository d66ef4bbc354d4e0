import CoreData
import Foundation

/// One of several processes that write into a store in a PostgreSQL database.
struct Writer {
    private let stack: Stack

    init(_ url: String) throws {
        guard let place = URL(string: url) else { throw BenchmarkError("\(url) is no URL") }
        stack = try Stack(
            place, PostgreSQLStoreType, Item.makeModel(),
            [NSPersistentHistoryTrackingKey: true as NSNumber])
    }

    /// Says that it is ready, waits for a line, and saves new objects one by one.
    func run(_ count: Int) throws {
        guard count > 0 else { return }
        let context = stack.makeContext()
        // The first save opens a connection and prepares its statements.
        try save(0, context)
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        _ = readLine()
        for number in 1...count { try save(number, context) }
    }

    private func save(_ number: Int, _ context: NSManagedObjectContext) throws {
        Item(context: context).fill(from: Sample(number))
        try context.save()
        context.reset()
    }
}
