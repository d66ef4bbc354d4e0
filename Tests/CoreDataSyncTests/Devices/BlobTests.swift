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
}
