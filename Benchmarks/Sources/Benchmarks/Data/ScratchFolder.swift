import Foundation

/// A folder for the stores of one run of the benchmarks, which is removed with this object.
final class ScratchFolder {
    private let url: URL
    private var copies = 0

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("Benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // If this fails, the folder only takes up space until the system cleans up.
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Runs a body on a copy of a store, or on a path without a store.
    func withCopy<Result>(of path: String?, _ body: (String) throws -> Result) throws -> Result {
        copies += 1
        let copy = self.path("copy-\(copies).sqlite")
        if let path { try FileManager.default.copyItem(atPath: path, toPath: copy) }
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
        }
        return try body(copy)
    }
}
