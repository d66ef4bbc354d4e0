import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

/// Devices that sync with one server.
final class Pair {
    let server: TestServer
    private(set) var devices: [Device] = []

    /// - Parameter serving: The model of the server, if it has another version than the devices.
    init(
        _ count: Int = 2, model: NSManagedObjectModel = LibraryModel.make(),
        serving: NSManagedObjectModel? = nil
    ) throws {
        server = TestServer(try StoreSynchronizer.schema(of: serving ?? model))
        for index in 0..<count {
            devices.append(try Device(server, model: model, seed: UInt64(1000 * (index + 1))))
        }
    }

    /// Syncs until all devices have what the server has, and holds all against it.
    func sync() async throws {
        for _ in 0..<2 { for device in devices { try await device.sync() } }
        let wanted = server.graph()
        for (index, device) in devices.enumerated() {
            let difference = try await device.graph().difference(from: wanted)
            #expect(difference == nil, "device \(index)")
            #expect(device.engine?.ledger.digest == server.storage.header.digest, "device \(index)")
        }
    }
}

extension NSManagedObjectContext {
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func all(_ entity: String) throws -> [NSManagedObject] {
        try fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).sorted {
            $0.objectID.uriRepresentation().absoluteString < $1.objectID.uriRepresentation().absoluteString
        }
    }
}

extension Device {
    /// Returns the titles of the books of the only shelf, in their order.
    func order() throws -> [String] {
        try edit { context in
            let books = try context.all("Shelf")[0].value(forKey: "books") as? NSOrderedSet
            return books?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "title") as? String }
                ?? []
        }
    }

    /// Moves a book of the only shelf.
    func move(_ title: String, to index: Int) throws {
        try edit { context in
            let shelf = try context.all("Shelf")[0]
            var books = (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
            let place = try #require(books.firstIndex { $0.value(forKey: "title") as? String == title })
            books.insert(books.remove(at: place), at: index)
            shelf.setValue(NSOrderedSet(array: books), forKey: "books")
        }
    }
}
