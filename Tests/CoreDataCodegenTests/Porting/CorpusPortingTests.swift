import CoreDataCodegen
import CoreDataModelFormat
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

/// Swift sources of real projects: those in the corpus beside the package, or in the folder that
/// `CORE_DATA_TEST_SOURCES` names.
private enum RealSources {
    static let root =
        ProcessInfo.processInfo.environment["CORE_DATA_TEST_SOURCES"].map { URL(fileURLWithPath: $0) }
        ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/corpus")

    static let paths =
        (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".swift") }.sorted()
}

@Suite("Porting real sources")
struct CorpusPortingTests {
    @Test(
        "Sources of projects keep every other token where it was, and parse as they did",
        .enabled(if: !RealSources.paths.isEmpty, "no Swift sources beside the package"))
    func tokens() throws {
        for path in RealSources.paths {
            let url = RealSources.root.appendingPathComponent(path)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            let port = try #require(overlay([path: text]).ports.first)
            #expect(displacedTokens(of: port) == [], "\(path)")
            let before = Parser.parse(source: text).hasError
            #expect(Parser.parse(source: port.text).hasError == before, "\(path)")
        }
    }
}
