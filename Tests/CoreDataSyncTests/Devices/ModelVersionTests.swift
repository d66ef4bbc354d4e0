import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Devices with different versions of a model")
struct ModelVersionTests {
    private static func newer() -> NSManagedObjectModel {
        LibraryModel.make { entities in
            entities["Book"]!.properties.append(LibraryModel.attribute("subtitle", .stringAttributeType))
            let place = NSEntityDescription()
            place.name = "Place"
            place.managedObjectClassName = "NSManagedObject"
            place.properties = [LibraryModel.attribute("name", .stringAttributeType)]
            entities["Place"] = place
            LibraryModel.relate(
                LibraryModel.toOne("site", place), of: entities["Book"]!,
                LibraryModel.toMany("books", entities["Book"]!), of: place)
        }
    }

    private func update(_ device: Device) throws {
        try device.close()
        try device.reopen(with: Self.newer())
    }

    /// Makes an updated device and one of the former version, which have one book.
    private func makePair() async throws -> Pair {
        let pair = try Pair(serving: Self.newer())
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        for _ in 0..<2 { for device in pair.devices { try await device.sync() } }
        try update(pair.devices[0])
        try pair.devices[0].edit { context in
            let book = try context.all("Book")[0]
            book.setValue("s", forKey: "subtitle")
            book.setValue(context.insert("Place", ["name": "p"]), forKey: "site")
        }
        for _ in 0..<2 { for device in pair.devices { try await device.sync() } }
        return pair
    }

    @Test("A device of an older version does not overwrite what it does not know")
    func unknown() async throws {
        let pair = try await makePair()
        try pair.devices[1].edit { try $0.all("Book")[0].setValue("b", forKey: "title") }
        for _ in 0..<2 { for device in pair.devices { try await device.sync() } }
        #expect(try pair.devices[0].texts("title", of: "Book") == ["b"])
        #expect(try pair.devices[0].texts("subtitle", of: "Book") == ["s"])
        let book = try #require(pair.server.objects("Book").first)
        #expect(book["subtitle"] == .string("s"))
        #expect(book["site"].reference != nil)
    }

    @Test("After an update a device has what the former version had left out, without an edit")
    func backfill() async throws {
        let pair = try await makePair()
        let number = pair.server.storage.header.sequence
        try update(pair.devices[1])
        try await pair.sync()
        #expect(try pair.devices[1].texts("subtitle", of: "Book") == ["s"])
        #expect(try pair.devices[1].texts("name", of: "Place") == ["p"])
        let place = try pair.devices[1].edit { context in
            let site = try context.all("Book")[0].value(forKey: "site") as? NSManagedObject
            return site?.value(forKey: "name") as? String
        }
        #expect(place == "p")
        #expect(pair.server.storage.header.sequence == number)
    }

    @Test("An edit that was made before an update is sent after it")
    func waiting() async throws {
        let pair = try await makePair()
        pair.server.isReachable = false
        try pair.devices[1].edit { try $0.all("Book")[0].setValue("c", forKey: "title") }
        try await pair.devices[1].sync()
        try update(pair.devices[1])
        pair.server.isReachable = true
        try await pair.sync()
        for device in pair.devices {
            #expect(try device.texts("title", of: "Book") == ["c"])
            #expect(try device.texts("subtitle", of: "Book") == ["s"])
        }
    }
}
