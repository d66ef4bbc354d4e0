import CoreDataModelSource
import Foundation

/// Real model files, if they are in the folder beside the package.
enum Corpus {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus")

    static var isPresent: Bool { !contents.isEmpty }

    private static let all =
        FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }.sorted() ?? []

    /// The paths of the files, relative to the corpus.
    static let contents = all.filter { ($0 as NSString).lastPathComponent == "contents" }

    /// The packages with several versions.
    static let packages = all.filter { $0.hasSuffix(".xcdatamodeld") }
        .compactMap { try? ModelPackage.read(at: url($0)) }.filter { $0.versions.count > 1 }

    static func url(_ path: String) -> URL { root.appendingPathComponent(path) }
}
