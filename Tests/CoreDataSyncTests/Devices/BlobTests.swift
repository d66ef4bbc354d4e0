import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Large values")
struct BlobTests {
    private func bytes(_ byte: UInt8, _ count: Int = 70_000) -> Data { Data(repeating: byte, count: count) }

    private func covers(_ device: Device) throws -> [Data?] {
        try device.edit { try $0.all("Book").map { $0.value(forKey: "cover") as? Data } }
    }

    private func setCover(_ data: Data, _ device: Device) throws {
        try device.edit { try $0.all("Book")[0].setValue(data, forKey: "cover") }
    }

    @Test("A large value travels apart from its object, and once")
    func apart() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a", "cover": bytes(1)]) }
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "b", "cover": bytes(2, 100)]) }
        try await pair.sync()
        #expect(Set(try covers(pair.devices[1])) == [bytes(1), bytes(2, 100)])
        #expect(pair.server.blobs.values.map(\.count) == [70_000])
        let number = pair.server.storage.header.sequence
        try setCover(bytes(1), pair.devices[1])
        try await pair.sync()
        #expect(pair.server.storage.header.sequence == number)
        for device in pair.devices { #expect(try await device.engine!.verifyCount() == 0) }
    }

    @Test("Of two large values one wins, and the other can be put back")
    func conflict() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        try setCover(bytes(1), pair.devices[0])
        try setCover(bytes(2), pair.devices[1])
        try await pair.sync()
        let cover = try covers(pair.devices[0])
        #expect(try cover == covers(pair.devices[1]))
        let loser = cover == [bytes(1)] ? bytes(2) : bytes(1)
        let device = pair.devices[loser == bytes(1) ? 0 : 1]
        let conflict = try #require(device.engine!.issues.conflicts.first)
        #expect(conflict.value == .large(bytes: 70_000))
        try await device.restore(conflict.id)
        try await pair.sync()
        for device in pair.devices { #expect(try covers(device) == [loser]) }
    }

    @Test("A large value that is edited again before it was sent arrives as it was last")
    func edited() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a"]) }
        try await pair.sync()
        pair.server.losesAnswers = true
        try setCover(bytes(1), pair.devices[0])
        try await pair.devices[0].sync()
        try setCover(bytes(2), pair.devices[0])
        try await pair.devices[0].sync()
        pair.server.losesAnswers = false
        try await pair.sync()
        #expect(try covers(pair.devices[1]) == [bytes(2)])
    }

    @Test("An object whose bytes the server has lost waits, and everything else goes on")
    func missing() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a", "cover": bytes(1)]) }
        try await pair.devices[0].sync()
        let blobs = pair.server.blobs
        pair.server.blobs = [:]
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "b"]) }
        try await pair.devices[0].sync()
        try await pair.devices[1].sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == ["b"])
        let reasons = pair.devices[1].engine!.issues.parked.map(\.reason)
        #expect(reasons == ["the server does not have the bytes of a value"])
        pair.server.blobs = blobs
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "c"]) }
        try await pair.sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == ["a", "b", "c"])
        #expect(try covers(pair.devices[1]).contains(bytes(1)))
    }

    @Test("A value that is larger than a server takes is an issue, and its object is sent")
    func excess() async throws {
        let pair = try Pair()
        let device = pair.devices[0]
        (device.settings.pushBytes, device.settings.blobBytes) = (60_000, 69_999)
        try device.edit { _ = $0.insert("Book", ["title": "a", "cover": bytes(1)]) }
        try await pair.sync()
        #expect(device.engine!.issues.rejections.map(\.property) == ["cover"])
        #expect(try pair.devices[1].texts("title", of: "Book") == ["a"])
    }

    /// A model whose books have a composite attribute, and a group, each with data in them.
    private static func withParts() -> NSManagedObjectModel {
        LibraryModel.make { entities in
            let scan = NSCompositeAttributeDescription()
            scan.name = "scan"
            scan.isOptional = true
            scan.elements = [
                LibraryModel.attribute("page", .integer32AttributeType),
                LibraryModel.attribute("image", .binaryDataAttributeType),
            ]
            let info = ["SyncGroup": "binding"]
            entities["Book"]!.properties += [
                scan, LibraryModel.attribute("spine", .binaryDataAttributeType, info: info),
                LibraryModel.attribute("colour", .stringAttributeType, info: info),
            ]
        }
    }

    @Test(
        "Large data in a composite attribute and in a group travels apart, and one that lost can be put back")
    func parts() async throws {
        let pair = try Pair(model: Self.withParts())
        func scans() throws -> [NSDictionary?] {
            try pair.devices.map { device in
                try device.edit { try $0.all("Book")[0].value(forKey: "scan") as? NSDictionary }
            }
        }
        func set(_ page: Int, _ image: Data, _ device: Device) throws {
            let scan: [String: Any] = ["page": page, "image": image]
            try device.edit { try $0.all("Book")[0].setValue(scan, forKey: "scan") }
        }
        try pair.devices[0].edit { context in
            let scan: [String: Any] = ["page": 1, "image": bytes(1)]
            _ = context.insert("Book", ["scan": scan, "spine": bytes(3), "colour": "red"])
        }
        try await pair.sync()
        let first: NSDictionary = ["page": 1, "image": bytes(1)]
        #expect(try scans() == [first, first])
        #expect(Set(pair.server.blobs.values) == [bytes(1), bytes(3)])
        let spine = try pair.devices[1].edit { try $0.all("Book")[0].value(forKey: "spine") as? Data }
        #expect(spine == bytes(3))
        for device in pair.devices { #expect(try await device.engine!.verifyCount() == 0) }

        try set(2, bytes(4), pair.devices[0])
        try set(3, bytes(5), pair.devices[1])
        try await pair.devices[0].sync()
        pair.server.now += 5000
        try await pair.sync()
        let second: NSDictionary = ["page": 3, "image": bytes(5)]
        #expect(try scans() == [second, second])
        let conflict = try #require(pair.devices[0].engine!.issues.conflicts.first)
        #expect(conflict.value == .group(["page": .integer(2), "image": .large(bytes: 70_000)]))
        try await pair.devices[0].restore(conflict.id)
        try await pair.sync()
        let third: NSDictionary = ["page": 2, "image": bytes(4)]
        #expect(try scans() == [third, third])
    }

    @Test("An element of a composite attribute that is larger than a server takes is an issue")
    func excessivePart() async throws {
        let pair = try Pair(model: Self.withParts())
        let device = pair.devices[0]
        (device.settings.pushBytes, device.settings.blobBytes) = (60_000, 69_999)
        let scan: [String: Any] = ["page": 1, "image": bytes(1)]
        try device.edit { _ = $0.insert("Book", ["title": "a", "scan": scan]) }
        try await pair.sync()
        #expect(device.engine!.issues.rejections.map(\.property) == ["scan"])
        #expect(try pair.devices[1].texts("title", of: "Book") == ["a"])
    }
}
