import CoreDataSyncCore
import CoreDataSyncServer
import CoreDataValues
import Foundation
import Testing

@Suite("Blobs")
struct BlobTests {
    private static let anna = Caller(user: "anna")
    private static let library = ZoneName(owner: "anna", name: "Library")!
    private static let bytes = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })

    private static func hash(_ bytes: Data) -> BlobHash { BlobHash(Array(SHA2.sha256(bytes)))! }

    private static let model = SyncModel(entities: [
        SyncModel.Entity("Photo", properties: [.init("image", .attribute(.binary, default: .null))])
    ])

    private static func refer(to hash: BlobHash, _ server: TestServer) async throws {
        let changes = [
            server.change(1, "Photo", .existence(1, seen: 0), by: 1),
            server.change(1, "Photo", .set("image", .blob(hash: hash.bytes, size: 1000)), by: 1),
        ]
        #expect(try await server.push(changes, to: library, by: 1, anna).outcomes == [.applied, .applied])
    }

    @Test(
        "A blob comes in parts, and a part that was lost is sent from where the rest is missing",
        arguments: TestedDatabase.all)
    func parts(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.model)
        let (store, hash) = (try server.folder.blobs(), Self.hash(Self.bytes))
        let service = server.service
        func add(_ range: Range<Int>) async throws -> SyncService.BlobState {
            try await service.add(
                Self.bytes[range], at: UInt64(range.lowerBound), of: 1000, to: hash, in: Self.library, store,
                by: Self.anna)
        }
        #expect(try await add(0..<400) == .uploading(400))
        await #expect(throws: ServiceError.conflict("the upload has 400 bytes")) { try await add(500..<1000) }
        let state = try await service.state(of: hash, in: Self.library, store, by: Self.anna)
        #expect(state == .uploading(400))
        #expect(try await add(400..<1000) == .stored(size: 1000))
        // Once more is no error.
        #expect(try await add(0..<400) == .stored(size: 1000))
        #expect(try await store.read(hash, from: 0, count: 2000) == Self.bytes)
        #expect(try await store.read(hash, from: 990, count: 5) == Self.bytes[990..<995])
    }

    @Test("Bytes with another hash are thrown away", arguments: TestedDatabase.all)
    func wrongBytes(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.model)
        let (store, hash) = (try server.folder.blobs(), Self.hash(Self.bytes))
        await #expect(throws: ServiceError.malformed("the bytes have another hash")) {
            try await server.service.add(
                Data("other".utf8), at: 0, of: 5, to: hash, in: Self.library, store, by: Self.anna)
        }
        let state = try await server.service.state(of: hash, in: Self.library, store, by: Self.anna)
        #expect(state == .uploading(0))
    }

    @Test(
        "A hash gives no right: a zone has what was uploaded to it, whatever another has",
        arguments: TestedDatabase.all)
    func rights(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.model)
        let (store, hash) = (try server.folder.blobs(), Self.hash(Self.bytes))
        func add(_ zone: ZoneName, _ caller: Caller) async throws -> SyncService.BlobState {
            try await server.service.add(Self.bytes, at: 0, of: 1000, to: hash, in: zone, store, by: caller)
        }
        _ = try await add(Self.library, Self.anna)
        let ben = Caller(user: "ben")
        await #expect(throws: ServiceError.self) { try await add(Self.library, ben) }
        await #expect(throws: ServiceError.self) {
            try await server.service.state(of: hash, in: Self.library, store, by: ben)
        }
        let his = ZoneName(owner: "ben", name: "Library")!
        _ = try await server.pull(his, ben)
        #expect(try await server.service.state(of: hash, in: his, store, by: ben) == .uploading(0))
    }

    @Test(
        "Uploads that are not whole count, and none begins for which there is no room",
        arguments: TestedDatabase.all)
    func quota(_ kind: TestedDatabase) async throws {
        var limits = ServiceLimits()
        limits.zoneBytes = 3000
        let server = try await TestServer(kind, limits: limits, model: Self.model)
        let store = try server.folder.blobs()
        func add(_ bytes: Data, of total: UInt64, at offset: UInt64 = 0, to name: String) async throws
            -> SyncService.BlobState
        {
            try await server.service.add(
                bytes, at: offset, of: total, to: Self.hash(Data(name.utf8)), in: Self.library, store,
                by: Self.anna)
        }
        await #expect(throws: ServiceError.quota(3000)) {
            try await add(Self.bytes, of: 3001, to: "large")
        }
        for name in ["first", "second"] {
            #expect(try await add(Self.bytes, of: 1001, to: name) == .uploading(1000))
        }
        await #expect(throws: ServiceError.quota(3000)) { try await add(Self.bytes, of: 1001, to: "third") }
        // There is room for this one.
        let state = try await server.service.add(
            Self.bytes, at: 0, of: 1000, to: Self.hash(Self.bytes), in: Self.library, store, by: Self.anna)
        #expect(state == .stored(size: 1000))
    }

    @Test("A reader sees a blob once a register refers to it", arguments: TestedDatabase.all)
    func readers(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.model)
        let (store, hash) = (try server.folder.blobs(), Self.hash(Self.bytes))
        _ = try await server.service.add(
            Self.bytes, at: 0, of: 1000, to: hash, in: Self.library, store, by: Self.anna)
        var reader = Self.anna
        reader.grants = [Self.library: .reader]
        await #expect(throws: ServiceError.missing("there is no such blob")) {
            try await server.service.state(of: hash, in: Self.library, store, by: reader)
        }
        try await Self.refer(to: hash, server)
        let state = try await server.service.state(of: hash, in: Self.library, store, by: reader)
        #expect(state == .stored(size: 1000))
    }

    @Test("A blob goes a day after it came, unless something refers to it", arguments: TestedDatabase.all)
    func sweep(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.model)
        let store = try server.folder.blobs()
        let (used, unused) = (Self.bytes, Data("unused".utf8))
        for bytes in [used, unused] {
            _ = try await server.service.add(
                bytes, at: 0, of: UInt64(bytes.count), to: Self.hash(bytes), in: Self.library, store,
                by: Self.anna)
        }
        try await Self.refer(to: Self.hash(used), server)
        func states() async throws -> [SyncService.BlobState] {
            var states: [SyncService.BlobState] = []
            for bytes in [used, unused] {
                states.append(
                    try await server.service.state(
                        of: Self.hash(bytes), in: Self.library, store, by: Self.anna))
            }
            return states
        }
        try await server.service.sweep(store)
        #expect(try await states() == [.stored(size: 1000), .stored(size: 6)])
        server.advance(SyncService.unusedBlobs + 1)
        try await server.service.sweep(store)
        #expect(try await states() == [.stored(size: 1000), .uploading(0)])
        #expect(try await store.read(Self.hash(used), from: 0, count: 1000) == used)
        await #expect(throws: ServiceError.self) {
            try await store.read(Self.hash(unused), from: 0, count: 9)
        }
    }

    @Test(
        "A blob of which a device has heard that it is there stays until the device can push what refers to it",
        arguments: TestedDatabase.all)
    func promised(_ kind: TestedDatabase) async throws {
        let server = try await TestServer(kind, model: Self.model)
        let (store, hash) = (try server.folder.blobs(), Self.hash(Self.bytes))
        _ = try await server.service.add(
            Self.bytes, at: 0, of: 1000, to: hash, in: Self.library, store, by: Self.anna)
        server.advance(SyncService.unusedBlobs + 1)
        let state = try await server.service.state(of: hash, in: Self.library, store, by: Self.anna)
        #expect(state == .stored(size: 1000))
        try await server.service.sweep(store)
        try await Self.refer(to: hash, server)
        #expect(try await store.read(hash, from: 0, count: 1000) == Self.bytes)
    }

    @Test("A blob that is uploaded again while old ones are removed stays")
    func uploadedAgain() async throws {
        let folder = try ServerFolder()
        let (store, hash) = (try folder.blobs(), Self.hash(Self.bytes))
        _ = try await store.add(Self.bytes, at: 0, of: 1000, to: hash, in: 1)
        let file = "\(folder.folder.blobs)/files/\(hash.text.prefix(2))/\(hash.text)"
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file)
        try await store.sweep(olderThan: Date(timeIntervalSince1970: 1000)) { _ in
            _ = try await store.add(Self.bytes, at: 0, of: 1000, to: hash, in: 2)
            return []
        }
        #expect(try await store.read(hash, from: 0, count: 1000) == Self.bytes)
    }

    @Test("A blob above the limit is refused at its first part", arguments: TestedDatabase.all)
    func tooLarge(_ kind: TestedDatabase) async throws {
        var limits = ServiceLimits()
        limits.blobBytes = 100
        let server = try await TestServer(kind, limits: limits, model: Self.model)
        let store = try server.folder.blobs()
        await #expect(throws: ServiceError.malformed("a blob has at most 100 bytes")) {
            try await server.service.add(
                Self.bytes, at: 0, of: 1000, to: Self.hash(Self.bytes), in: Self.library, store, by: Self.anna
            )
        }
    }

    @Test("Names of blobs are 64 small hexadecimal digits and nothing else")
    func names() {
        let text = String(repeating: "0a", count: 32)
        #expect(BlobHash(text)?.text == text)
        for bad in ["", "../" + text.dropFirst(3), text.uppercased(), text + "0", "+" + text.dropFirst()] {
            #expect(BlobHash(bad) == nil, "\(bad)")
        }
    }
}
