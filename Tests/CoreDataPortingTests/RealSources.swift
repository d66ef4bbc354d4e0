#if Overlay
import Foundation

/// Swift sources of real projects: those in the corpus beside the package, or in the folder that
/// `CORE_DATA_TEST_SOURCES` names.
enum RealSources {
    static let root =
        ProcessInfo.processInfo.environment["CORE_DATA_TEST_SOURCES"].map { URL(fileURLWithPath: $0) }
        ?? package.deletingLastPathComponent().appendingPathComponent("shared/corpus")

    /// The folder of this package.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    static let paths = swiftFiles(in: root)

    /// Returns the paths of the sources in a folder, without build products.
    static func swiftFiles(in folder: URL) -> [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".swift") && !"/\($0)".contains("/.build/") }.sorted()
    }
}
#endif
