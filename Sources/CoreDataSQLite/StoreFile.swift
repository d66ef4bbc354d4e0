import CoreDataStore
import Foundation

/// The file at a path, examined without opening it. Only SQLite may open the file of a store: closing a file
/// drops all (POSIX) locks that the process has on it, including those of open stores, and another process
/// that closes the store would then remove the log that is still in use.
struct StoreFile {
    enum State {
        case missing
        case empty
        /// A file with content, which may or may not be a database.
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

    /// Throws unless both the file and its folder, in which SQLite makes the log, may be written to.
    static func requireWritable(_ path: String) throws(StoreError) {
        let files = FileManager.default
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if files.fileExists(atPath: path), !files.isWritableFile(atPath: path) {
            throw StoreError(.readOnly, "there is no permission to write the file", path: path, code: 8)
        }
        if !files.isWritableFile(atPath: folder) {
            throw StoreError(
                .readOnly, "there is no permission to write the folder \(folder)", path: path, code: 8)
        }
    }
}
