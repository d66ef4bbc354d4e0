#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@Suite("Porting real sources")
struct CorpusPortingTests {
    @Test(
        "Ported sources keep the place of every other token and parse as before",
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
        "Sources ported in place keep all comments, parse as before and need no more porting",
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
#endif
