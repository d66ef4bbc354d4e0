import CoreDataStore
import Foundation

/// What lies at a path, before SQLite touches it.
struct StoreFile {
    enum State {
        case missing
        case empty
        case database
    }

    let state: State

    private static let magic = Data("SQLite format 3\0".utf8)

    init(_ path: String) throws(StoreError) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory),
                isDirectory.boolValue
            else {
                throw StoreError(
                    .cannotCreate, "failed to create the file: the folder \(folder) does not exist",
                    path: path, code: 14)
            }
            state = .missing
            return
        }
        guard !isDirectory.boolValue else {
            throw StoreError(.cannotOpen, "the path is a folder", path: path, code: 14)
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            let isForbidden = !FileManager.default.isReadableFile(atPath: path)
            throw StoreError(
                isForbidden ? .notReadable : .cannotOpen, "the file cannot be read", path: path, code: 14)
        }
        defer { try? handle.close() }
        let start = (try? handle.read(upToCount: Self.magic.count)) ?? Data()
        guard !start.isEmpty else {
            state = .empty
            return
        }
        guard start == Self.magic else {
            throw StoreError(.notADatabase, "the file is no SQLite database", path: path, code: 26)
        }
        state = .database
    }

    static func isWritable(_ path: String) -> Bool {
        (try? requireWritable(path)) != nil
    }

    /// Throws unless the file, and its folder, where the log goes, may be written.
    static func requireWritable(_ path: String) throws(StoreError) {
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if files.fileExists(atPath: path), !files.isWritableFile(atPath: path) {
            throw StoreError(.readOnly, "the file must not be written", path: path, code: 8)
        }
        if !files.isWritableFile(atPath: folder) {
            throw StoreError(.readOnly, "the folder \(folder) must not be written", path: path, code: 8)
        }
    }
}
