import Foundation
import Testing

@testable import CoreData

@Suite("Failing writes of external files")
struct ExternalFileFaultTests {
    private static func model() -> NSManagedObjectModel {
        let model = ModelSketch(
            """
            Item
              name string
              photo external
            """
        ).model
        return model
    }

    private static let old = Data(repeating: 1, count: 150_000)
    private static let new = Data(repeating: 2, count: 1_000_000)

    /// An item with an old photo.
    private static func makeStore(in folder: URL) throws -> OpenedStore {
        let opened = try OpenedStore(folder.appendingPathComponent("store.sqlite"), model())
        try opened.context.performAndWait {
            _ = opened.context.insert("Item", ["name": "a", "photo": old])
            try opened.context.save()
        }
        return opened
    }

    private static func support(_ folder: URL) -> URL { folder.appendingPathComponent(".store_SUPPORT") }

    /// Returns the files in the folder of external values, and the notes of transactions beside it.
    private static func files(_ folder: URL) throws -> [String] {
        let external = support(folder).appendingPathComponent("_EXTERNAL_DATA")
        return try FileManager.default.contentsOfDirectory(atPath: external.path).sorted()
            + FileManager.default.contentsOfDirectory(atPath: support(folder).path).filter {
                $0.hasPrefix("pending")
            }
    }

    private static func photos(_ folder: URL) throws -> [String: Data] {
        let opened = try OpenedStore(folder.appendingPathComponent("store.sqlite"), model())
        return try opened.context.performAndWait {
            let items = try opened.context.fetch("Item", nil, [], sortedBy: "name")
            let pairs = items.map {
                ($0.value(forKey: "name") as? String ?? "", $0.value(forKey: "photo") as? Data)
            }
            return Dictionary(uniqueKeysWithValues: pairs.map { ($0, $1 ?? Data()) })
        }
    }

    // MARK: A disk that fills up

    private static let place = "CORE_DATA_TEST_FULL_DISK"
    private static let folderOfProcess = ProcessInfo.processInfo.environment[place].map {
        URL(fileURLWithPath: $0, isDirectory: true)
    }

    /// Limits the size of all files of this process: a larger write ends in the middle of a value, as on a
    /// full disk.
    private static func limitFiles(to size: UInt?) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    @Test("limitedWriting: the body of the process with small files", .enabled(if: folderOfProcess != nil))
    func limitedWriting() throws {
        let folder = try #require(Self.folderOfProcess)
        let opened = try Self.makeStore(in: folder)
        let before = try Self.files(folder)
        let context = opened.context
        try context.performAndWait {
            let item = try #require(try context.fetch("Item", nil, [], sortedBy: nil).first)
            item.setValue(Self.new, forKey: "photo")
            _ = context.insert("Item", ["name": "b", "photo": Self.new])
            Self.limitFiles(to: 500_000)
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == CocoaError.Code.fileWriteUnknown.rawValue)
            #expect(error.localizedFailureReason?.contains("external file") == true)
            #expect(context.insertedObjects.count == 1)
            #expect(context.updatedObjects == [item])
            #expect(try Self.files(folder) == before)
            #expect(try Self.photos(folder) == ["a": Self.old])

            let batch = NSBatchInsertRequest(
                entityName: "Item",
                objects: [["name": "c", "photo": Self.old], ["name": "d", "photo": Self.new]])
            #expect(throws: NSError.self) { try context.execute(batch) }
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = ["photo": Self.new]
            #expect(throws: NSError.self) { try context.execute(update) }
            #expect(try Self.files(folder) == before)
            #expect(try Self.photos(folder) == ["a": Self.old])

            Self.limitFiles(to: nil)
            try context.save()
        }
        #expect(try Self.photos(folder) == ["a": Self.new, "b": Self.new])
        #expect(try Self.files(folder).count == 2)
        #expect(Set(try Self.files(folder)).isDisjoint(with: before))
    }

    @Test("A full disk while writing a value keeps the old value and no new file; retry succeeds")
    func fullDisk() async throws {
        let folder = try ScratchFolder()
        let writer = try TestProcess(
            "limitedWriting", in: folder, environment: [Self.place: folder.url.path])
        let isWell = await writer.ended()
        #expect(isWell, "\(writer.output)")
        #expect(writer.output.contains("1 test in"), "\(writer.output)")
    }

    // MARK: A folder that cannot be made

    @Test("If the folder for external files cannot be created, the save fails until it can")
    func noFolder() throws {
        let folder = try ScratchFolder()
        let opened = try OpenedStore(folder.file(), Self.model())
        try Data("in the way".utf8).write(to: Self.support(folder.url))
        try opened.context.performAndWait {
            let item = opened.context.insert("Item", ["name": "a", "photo": Self.old])
            let error = try #require(throws: NSError.self) { try opened.context.save() }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.localizedFailureReason?.contains(Self.support(folder.url).path) == true)
            #expect(item.isInserted)
            #expect(item.objectID.isTemporaryID)
            #expect(try Self.photos(folder.url) == [:])
            try FileManager.default.removeItem(at: Self.support(folder.url))
            try opened.context.save()
        }
        #expect(try Self.photos(folder.url) == ["a": Self.old])
    }
}
