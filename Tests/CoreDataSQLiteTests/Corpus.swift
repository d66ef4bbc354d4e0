import CoreDataModelFormat
import CoreDataSQLite
import Foundation

/// SQLite stores written by Apple's framework, if they are in the folder beside the package.
enum Corpus {
    private static let folder: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("shared/corpus")
    }()

    /// The paths, relative to the corpus, of all files that begin like a SQLite file.
    static let stores: [String] = {
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var result: [String] = []
        for case let path as String in files where !path.hasSuffix("-wal") && !path.hasSuffix("-shm") {
            guard let handle = FileHandle(forReadingAtPath: folder.path + "/" + path) else { continue }
            defer { try? handle.close() }
            if (try? handle.read(upToCount: 15)) == Data("SQLite format 3".utf8) { result.append(path) }
        }
        return result.sorted()
    }()

    static var isThere: Bool { !stores.isEmpty }

    /// Returns a writable copy, with its log.
    static func copy(_ store: String, to test: TestFolder) throws -> String {
        for suffix in ["", "-wal"] {
            let source = folder.path + "/" + store + suffix
            guard FileManager.default.fileExists(atPath: source) else { continue }
            let target = test.file() + suffix
            try Data(contentsOf: URL(fileURLWithPath: source)).write(to: URL(fileURLWithPath: target))
        }
        return test.file()
    }

    /// Returns the model in a store; nil for stores of systems that did not write it.
    static func model(at path: String) throws -> CompiledModel? {
        guard let cache = try SQLiteStores.modelCache(at: path) else { return nil }
        let document = try CompiledModelReader().read(cache).document
        return try ModelCompiler(document, parseExpression: DerivationExpression.parse).compile()
    }
}
