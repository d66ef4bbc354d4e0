import Foundation
import Testing

/// A place for a store: a file that is removed with its owner or, if `CORE_DATA_STORE_URL` is the URL of a
/// PostgreSQL database, a schema of its own there.
final class ScratchFile {
    static let suffixes = ["", "-wal", "-shm"]

    private static let database = ProcessInfo.processInfo.environment["CORE_DATA_STORE_URL"]
    static var isInDatabase: Bool { database != nil }

    let url: URL

    init(_ name: String, isInDatabase: Bool = ScratchFile.isInDatabase) {
        if isInDatabase, let database = Self.database {
            let separator = database.contains("?") ? "&" : "?"
            url = URL(string: "\(database)\(separator)schema=\(name)-\(UUID())")!
        } else {
            url = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID()).sqlite")
        }
    }

    /// Returns a place that is gone with its store, in memory, or a schema of the database.
    static func passing(_ name: String) -> URL {
        isInDatabase ? ScratchFile(name).url : URL(fileURLWithPath: "/dev/null")
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
        guard url.isFileURL else { return }
        for suffix in Self.suffixes { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test that reads or removes the file of a store, where stores are in a database.
    static var needsFile: Self { .enabled(if: !ScratchFile.isInDatabase, "It needs the store's file") }

    /// Skips a test of stores in a database where there is none.
    static var needsDatabase: Self {
        .enabled(if: ScratchFile.isInDatabase, "CORE_DATA_STORE_URL names no database")
    }
}
