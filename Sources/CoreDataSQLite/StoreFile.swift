import CoreDataStore
import Foundation

/// What lies at a path, before SQLite opens it. Only SQLite may do that: who closes a file gives up every lock that the
/// process has on it, those of open stores included, and the next one to close the store elsewhere takes its log away.
struct StoreFile {
    enum State {
        case missing
        case empty
        /// A database, or something else: SQLite will tell.
        case filled
    }

    let state: State

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
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StoreError(.notReadable, "the file cannot be read", path: path, code: 14)
        }
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        state = size?.int64Value == 0 ? .empty : .filled
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
