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

    @Test(
        "Ported in place, they keep every comment, parse as they did, and need no porting any more",
        .enabled(if: !RealSources.paths.isEmpty, "no Swift sources beside the package"))
    func inPlace() throws {
        for path in RealSources.paths {
            let url = RealSources.root.appendingPathComponent(path)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            let ported = try #require(overlay([path: text]).ports.first).portableText
            #expect(comments(of: ported) == comments(of: text), "\(path)")
            #expect(Parser.parse(source: ported).hasError == Parser.parse(source: text).hasError, "\(path)")
            #expect(overlay([path: ported]).ports.first?.portableText == ported, "\(path)")
        }
    }

    private func comments(of text: String) -> [String] {
        Parser.parse(source: text).tokens(viewMode: .sourceAccurate).flatMap {
            Array($0.leadingTrivia) + Array($0.trailingTrivia)
        }.compactMap { piece in
            switch piece {
            case .lineComment(let text), .blockComment(let text), .docLineComment(let text),
                .docBlockComment(let text):
                text.trimmingCharacters(in: .whitespaces)
            default: nil
            }
        }.sorted()
    }
}
