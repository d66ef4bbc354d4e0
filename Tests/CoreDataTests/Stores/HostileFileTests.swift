import CoreDataMemory
import CoreDataModelFormat
import CoreDataSQLite
import CoreDataStore
import Foundation
import Testing

@testable import CoreData

@Suite("Damaged files")
struct HostileFileTests {
    /// A small store of each kind of file, its model and what reads it.
    private struct Sample: Sendable {
        let file: Data
        let model: FrozenModel
        let format: any StoreFileFormat.Type

        /// How many rows a file has.
        func read(_ file: Data) throws(StoreError) -> Int {
            _ = try format.metadata(of: file)
            return try format.read(file, model.compiled, model.layouts).tables.allRows.count
        }
    }

    @MainActor
    private static func sample(_ type: String) throws -> Sample {
        let folder = try ScratchFolder()
        let stack = try TestStack(
            ModelFixtures.company(), in: folder, type: NSPersistentStore.StoreType(rawValue: type))
        let company = stack.insert("Company", ["name": "C <&>", "founded": Date()])
        for number in 0..<5 {
            stack.insert("Employee", ["name": "N\(number)", "salary": Decimal(number), "employer": company])
        }
        try stack.context.save()
        return Sample(
            file: try Data(contentsOf: folder.file()), model: stack.coordinator.frozen,
            format: type == NSXMLStoreType ? XMLStoreFormat.self : BinaryStoreFormat.self)
    }

    @Test("A truncated file is an error", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func truncated(_ type: String) async throws {
        let sample = try await Self.sample(type)
        #expect(try sample.read(sample.file) == 6)
        for count in stride(from: 0, to: sample.file.count - 1, by: 7) {
            #expect(throws: StoreError.self, "\(count)") { try sample.read(sample.file.prefix(count)) }
        }
    }

    @Test("A binary file with one wrong bit is an error")
    func flipped() async throws {
        let sample = try await Self.sample(NSBinaryStoreType)
        for position in sample.file.indices {
            for bit in 0..<8 where (position + bit).isMultiple(of: 3) {
                var file = sample.file
                file[position] ^= 1 << UInt8(bit)
                #expect(throws: StoreError.self, "\(position).\(bit)") { try sample.read(file) }
            }
        }
    }

    @Test(
        "A randomly damaged file is read or refused, and never crashes the program",
        arguments: [NSXMLStoreType, NSBinaryStoreType], 0..<20
    )
    func random(_ type: String, _ seed: Int) async throws {
        let sample = try await Self.sample(type)
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            var file = sample.file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let position = Int.random(in: 0..<file.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: file[position] = UInt8.random(in: 0...255, using: &random)
                case 1: file.remove(at: position)
                case 2: file.insert(UInt8.random(in: 0...255, using: &random), at: position)
                default:
                    let end = min(file.count, position + Int.random(in: 1...64, using: &random))
                    file.insert(contentsOf: Data(file[position..<end]), at: position)
                }
            }
            // The checksum would refuse it before the reader could fail.
            if type == NSBinaryStoreType { file = BinaryStoreFormat.sealed(file) }
            _ = try? sample.read(file)
        }
    }

    /// A binary property list of a dictionary, with arrays that have the next one twice.
    private static func doubling(_ levels: UInt8) -> Data {
        var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, UInt8(ascii: "a")]]
        objects += (0..<levels).map { [0xA2, $0 + 3, $0 + 3] } + [[0xA0]]
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, 0, table] {
            bytes += (0..<8).map { UInt8(number >> (56 - 8 * $0) & 0xFF) }
        }
        return Data(bytes)
    }

    @Test("A property list whose parts double at each level is refused, wherever it lies")
    func doublingLists() throws {
        let folder = try ScratchFolder()
        #expect(try ForeignPropertyList.object(Self.doubling(3)) is [String: Any])
        let list = Self.doubling(60)
        #expect(throws: (any Error).self) { try ForeignPropertyList.object(list) }
        let url = try NoteStore.make(at: folder.file())
        let hex = list.map { String(format: "%02x", $0) }.joined()
        try PlainDatabase(url).execute("UPDATE Z_METADATA SET Z_PLIST = x'\(hex)'")
        for body in [
            { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url) },
            { _ = try NoteStore.open(url) },
        ] as [() throws -> Void] {
            let error = #expect(throws: NSError.self) { try body() }
            #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
            #expect(error?.localizedFailureReason?.contains("metadata") == true)
        }
        #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(list) == nil)
        let model = folder.url.appendingPathComponent("Model.momd")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try list.write(to: model.appendingPathComponent("VersionInfo.plist"))
        #expect(NSManagedObjectModel(contentsOf: model) == nil)
    }

    @Test("Compressed data is unpacked only up to a size limit")
    func packed() throws {
        let packed = try #require(Deflate.compress(Data(count: 1_000_000)))
        #expect(packed.count < 2000)
        #expect(Deflate.decompress(packed)?.count == 1_000_000)
        #expect(Deflate.decompress(packed, upTo: 999_999) == nil)
    }

    @Test("A pipe is a store of no type, and nothing is read from it")
    func pipe() throws {
        let folder = try ScratchFolder()
        let url = folder.file("pipe")
        #expect(mkfifo(url.path, 0o600) == 0)
        #expect(!XMLStore.canRead(url))
        #expect(!BinaryStore.canRead(url))
        #expect(throws: (any Error).self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)
        }
    }

    @Test("An XML file that declares entities is refused")
    func entities() async throws {
        let sample = try await Self.sample(NSXMLStoreType)
        let text = String(decoding: sample.file, as: UTF8.self).replacingOccurrences(
            of: "<database>", with: "<database>\n<!ENTITY a \"aaaaaaaaaa\">")
        let error = #expect(throws: StoreError.self) { try sample.read(Data(text.utf8)) }
        #expect(error?.message.contains("entities") == true)
    }

    @Test("A reference to a missing object is an error that names it")
    func dangling() async throws {
        let sample = try await Self.sample(NSXMLStoreType)
        let text = String(decoding: sample.file, as: UTF8.self)
        let broken = text.replacingOccurrences(of: "idrefs=\"z", with: "idrefs=\"z9")
        let error = #expect(throws: StoreError.self) { try sample.read(Data(broken.utf8)) }
        #expect(error?.message.contains("z9") == true)
        let renamed = text.replacingOccurrences(of: "type=\"COMPANY\"", with: "type=\"NOBODY\"")
        #expect(throws: StoreError.self) { try sample.read(Data(renamed.utf8)) }
    }
}
