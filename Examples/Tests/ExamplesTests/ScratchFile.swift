import Foundation

/// A place for a store, removed with its owner.
final class ScratchFile {
    static let suffixes = ["", "-wal", "-shm"]

    let url: URL

    init(_ name: String) {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID()).sqlite")
    }

    /// Returns the bytes of the store's files, its log included.
    func contents() throws -> [String: Data] {
        let files = Self.suffixes.filter { FileManager.default.fileExists(atPath: url.path + $0) }
        return try Dictionary(
            uniqueKeysWithValues: files.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: url.path + $0)))
            })
    }

    func write(_ contents: [String: Data]) throws {
        for (suffix, data) in contents where suffix != "-shm" {
            try data.write(to: URL(fileURLWithPath: url.path + suffix))
        }
    }

    deinit {
        for suffix in Self.suffixes { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }
}
