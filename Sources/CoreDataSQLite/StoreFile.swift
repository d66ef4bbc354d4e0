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
                throw StoreError(.cannotOpen, "the folder \(folder) does not exist", path: path)
            }
            state = .missing
            return
        }
        guard !isDirectory.boolValue else {
            throw StoreError(.cannotOpen, "the path is a folder", path: path)
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw StoreError(.cannotOpen, "the file cannot be read", path: path)
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
}
