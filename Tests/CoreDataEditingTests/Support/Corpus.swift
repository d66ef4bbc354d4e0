import Foundation

/// Real model files, if they are in the folder beside the package.
enum Corpus {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus")

    static var isPresent: Bool { !contents.isEmpty }

    /// The paths of the files, relative to the corpus.
    static let contents: [String] = {
        let all = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return all.filter { ($0 as NSString).lastPathComponent == "contents" }.sorted()
    }()

    static func url(_ path: String) -> URL { root.appendingPathComponent(path) }
}
