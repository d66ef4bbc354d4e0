import Foundation

/// SQLite stores written by Apple's framework, if they are in the folder beside the package.
enum Corpus {
    private static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("shared/corpus")
    }()

    /// Paths relative to the corpus.
    static let stores: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { ["sqlite", "graphdb", "pulse"].contains(($0 as NSString).pathExtension) }
            .filter(isDatabase).sorted()
    }()

    private static func isDatabase(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: folder.path + "/" + path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 15)) == Data("SQLite format 3".utf8)
    }

    static var isThere: Bool { !stores.isEmpty }

    /// Returns a copy in a folder of its own, with its log and external values.
    static func copy(_ store: String) throws -> LibraryStore {
        try LibraryStore(copying: folder.appendingPathComponent(store))
    }
}
