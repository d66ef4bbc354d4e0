#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

extension ModuleIndex {
    init(name: String, parsed: [ParsedSource]) {
        self.init(name: name, files: parsed.map { ManagedPropertyScanner().scan($0) })
    }
}

/// Sources ported as the plugin's tool ports them, each the file of its name in `/src`.
func overlay(
    _ sources: [String: String], documents: [ModelDocument] = [], dependencies: [String: String] = [:],
    dependencyDocuments: [String: [ModelDocument]] = [:]
) -> ModuleOverlay {
    let parsed = sources.sorted { $0.key < $1.key }.map {
        ParsedSource(SourceText(path: "/src/" + $0.key, text: $0.value))
    }
    let library = ModuleLibrary(
        target: ModuleIndex(name: "App", parsed: parsed), dependencies: dependencies.keys.sorted(),
        load: { name in
            let text = dependencies[name] ?? ""
            return try ModuleIndex(name: name, sources: [SourceText(path: "/\(name).swift", text: text)])
                .generatingClasses(of: dependencyDocuments[name] ?? [])
        })
    return ModuleOverlay(parsed, library: library, documents: documents)
}

/// Ports one source, and checks that every other token keeps its place.
func port(_ source: String, documents: [ModelDocument] = []) throws -> FilePort {
    let port = try #require(overlay(["File.swift": source], documents: documents).ports.first)
    #expect(displacedTokens(of: port) == [])
    return port
}

/// Returns the tokens of a source that the ported text does not have at their line and column, and that no
/// rewrite covers.
///
/// Compares text, not syntax: it does not notice a text that parses differently.
func displacedTokens(of port: FilePort) -> [String] {
    let tree = Parser.parse(source: port.source.text)
    let converter = SourceLocationConverter(fileName: "", tree: tree)
    let lines = port.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
        Array.init)
    return tree.tokens(viewMode: .sourceAccurate).compactMap { token in
        let start = token.positionAfterSkippingLeadingTrivia.utf8Offset
        let isRewritten = port.rewrites.contains { $0.range.contains(start) }
        // An opening brace may move for `: AnyObject`.
        let makesWay = port.rewrites.contains {
            $0.kind == .classBound && $0.range.lowerBound + 1 == start && token.tokenKind == .leftBrace
        }
        guard !isRewritten, !makesWay, !token.text.isEmpty else { return nil }
        let place = converter.location(for: token.positionAfterSkippingLeadingTrivia)
        let first = token.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[0]
        guard place.line <= lines.count,
            lines[place.line - 1].dropFirst(place.column - 1).starts(with: first)
        else { return "\(place.line):\(place.column): \(token.text)" }
        return nil
    }
}

/// Returns a text with its spaces collapsed, since the places of its tokens are checked separately.
func squeezed(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
}
#endif
