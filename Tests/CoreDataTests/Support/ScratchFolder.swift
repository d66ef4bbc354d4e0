import Foundation

/// A folder that is removed when the test ends.
final class ScratchFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String = "store.sqlite") -> URL { url.appendingPathComponent(name) }
}
