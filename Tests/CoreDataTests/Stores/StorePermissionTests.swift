import Foundation
import Testing

@testable import CoreData

#if canImport(Glibc)
import Glibc
#endif

/// Permissions do not bind the superuser, so these run in processes of their own, as the user `nobody`.
@Suite("Stores without permission to write or read")
struct StorePermissionTests {
    /// Makes a store with the permissions in a folder of that user, and switches to that user.
    private static func prepare(_ url: URL, file: Int, folder: Int) throws {
        try NoteStore.make(at: url)
        let parent = url.deletingLastPathComponent()
        if geteuid() == 0 {
            for path in [url.path, parent.path] { try #require(chown(path, 65_534, 65_534) == 0) }
        }
        try #require(chmod(url.path, mode_t(file)) == 0)
        try #require(chmod(parent.path, mode_t(folder)) == 0)
        if geteuid() == 0 { try #require(setuid(65_534) == 0) }
    }

    /// Makes the folder removable again.
    private static func unlock(_ folder: URL) {
        chmod(folder.path, 0o755)
    }

    /// Checks that opening fails with the code and leaves the folder as it is, and that reading works.
    private static func check(_ url: URL, code: CocoaError.Code) throws {
        let folder = url.deletingLastPathComponent()
        let before = try NoteStore.files(in: folder)
        let error = try #require(throws: NSError.self) { try NoteStore.open(url) }
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == code.rawValue, "\(error)")
        #expect(error.userInfo["NSFilePath"] as? String == url.path)
        #expect(try NoteStore.files(in: folder) == before)
        let reader = try NoteStore.open(url, [NSReadOnlyPersistentStoreOption: true])
        #expect(try NoteStore.count(reader) == 1)
        try reader.close()
        #expect(try Data(contentsOf: url) == before[url.lastPathComponent])
    }

    @Test(
        "A missing store cannot be opened read-only: 260, and none is created",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func missing(_ type: String) throws {
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelFixtures.company())
        let error = try #require(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.file(),
                options: [NSReadOnlyPersistentStoreOption: true])
        }
        #expect(error.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
        #expect(error.userInfo["NSFilePath"] as? String == folder.file().path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(
        "A store cannot be created in a missing folder: 512, whatever its type",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func missingFolder(_ type: String) throws {
        let folder = try ScratchFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelFixtures.company())
        let error = try #require(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.file("no/store"))
        }
        #expect(error.code == CocoaError.Code.fileWriteUnknown.rawValue)
    }

    @Test("A file without write permission is refused with 513, but opens read-only")
    func readOnlyFile() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            defer { Self.unlock(folder.url) }
            try Self.prepare(folder.file(), file: 0o444, folder: 0o755)
            try Self.check(folder.file(), code: .fileWriteNoPermission)
        }
    }

    @Test("A store in a folder without write permission is refused with 513, but opens read-only")
    func readOnlyFolder() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            defer { Self.unlock(folder.url) }
            try Self.prepare(folder.file(), file: 0o644, folder: 0o555)
            try Self.check(folder.file(), code: .fileWriteNoPermission)
        }
    }

    @Test("A file without read permission cannot be opened: 257")
    func unreadableFile() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            defer { Self.unlock(folder.url) }
            try Self.prepare(folder.file(), file: 0o000, folder: 0o755)
            let error = try #require(throws: NSError.self) { try NoteStore.open(folder.file()) }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == CocoaError.Code.fileReadNoPermission.rawValue, "\(error)")
        }
    }

    @Test("No store is created in a folder without write permission: 513, and no file is left")
    func newStore() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            defer { Self.unlock(folder.url) }
            try Self.prepare(folder.file(), file: 0o644, folder: 0o555)
            let before = try NoteStore.files(in: folder.url)
            let error = try #require(throws: NSError.self) { try NoteStore.open(folder.file("new.sqlite")) }
            #expect(error.code == CocoaError.Code.fileWriteNoPermission.rawValue, "\(error)")
            #expect(try NoteStore.files(in: folder.url) == before)
        }
    }
}
