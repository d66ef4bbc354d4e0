import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Synchronization
import Testing

/// A book that lets something happen when one of its values is read next.
final class WatchedBook: NSManagedObject {
    static let atReading = Mutex<(@Sendable () -> Void)?>(nil)

    override func willAccessValue(forKey key: String?) {
        let body = Self.atReading.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
        super.willAccessValue(forKey: key)
    }
}

@Suite("Captures of one moment", .serialized)
struct MomentTests {
    private let server: TestServer
    private let device: Device

    init() throws {
        let model = LibraryModel.make {
            $0["Book"]!.managedObjectClassName = NSStringFromClass(WatchedBook.self)
        }
        server = TestServer(try StoreSynchronizer.schema(of: model))
        device = try Device(server, model: model)
    }

    /// Gives the only book and the only loan one text in one save.
    private static func write(_ text: String, _ coordinator: NSPersistentStoreCoordinator) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            try context.all("Book")[0].setValue(text, forKey: "title")
            try context.all("Loan")[0].setValue(text, forKey: "note")
            try context.save()
        }
    }

    /// Syncs, and returns what the server has of the book and of the loan after each answer.
    private func syncListing() async throws -> [[SyncValue]] {
        var states: [[SyncValue]] = []
        var requests = try await device.handle(.start)
        while !requests.isEmpty {
            let (token, request) = requests.removeFirst()
            guard let response = try server.answer(request) else { break }
            states.append(
                (server.objects("Book").map { $0["title"] } + server.objects("Loan").map { $0["note"] }))
            requests += try await device.handle(.response(token: token, response))
        }
        return states
    }

    @Test(
        "A save that comes while a capture reads is pushed whole, whether it reads all objects or what the history names",
        arguments: [true, false])
    func saveAmidCapture(readsAll: Bool) async throws {
        try device.edit { context in
            _ = context.insert("Book", ["title": "1"])
            _ = context.insert("Loan", ["note": "1"])
        }
        if !readsAll {
            try await device.sync()
            try Self.write("2", device.coordinator)
        }
        try await device.open()
        let coordinator = device.coordinator
        // Books are read before loans.
        WatchedBook.atReading.withLock { $0 = { try? Self.write("3", coordinator) } }
        let states = try await syncListing()
        #expect(WatchedBook.atReading.withLock { $0 == nil })
        #expect(states.allSatisfy { $0.isEmpty || $0.count == 2 && $0[0] == $0[1] }, "\(states)")
        #expect(states.last == [.string("3"), .string("3")])
    }
}
