import Foundation

/// Real model files, if they are in the folder beside the package.
enum Corpus {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus")

    static var isPresent: Bool { FileManager.default.fileExists(atPath: root.path) }

    /// The paths below the corpus, relative to it, whose last component satisfies `condition`.
    static func paths(where condition: (String) -> Bool) -> [String] {
        guard let all = FileManager.default.enumerator(atPath: root.path) else { return [] }
        return all.compactMap { $0 as? String }
            .filter { condition(($0 as NSString).lastPathComponent) }
            .sorted()
    }

    static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    static let contents = paths { $0 == "contents" }
    static let compiled = paths { $0.hasSuffix(".mom") }
    static let packages = paths { $0.hasSuffix(".xcdatamodeld") }
}
