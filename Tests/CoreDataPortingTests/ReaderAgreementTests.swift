#if Overlay
import CoreDataCodegen
import CoreDataPorting
import Foundation
import SwiftSyntax
import Testing

@Suite("Two readers of declarations")
struct ReaderAgreementTests {
    @Test(
        "Both readers agree on every source of this package",
        arguments: ["Sources", "Tests", "Examples", "Plugins", "Benchmarks"])
    func ownSources(folder: String) throws {
        let root = RealSources.package.appendingPathComponent(folder)
        try expectAgreement(on: RealSources.swiftFiles(in: root), in: root)
    }

    @Test(
        "Both readers agree on the sources of other projects",
        .enabled(if: !RealSources.paths.isEmpty, "no Swift sources beside the package"))
    func otherSources() throws {
        try expectAgreement(on: RealSources.paths, in: RealSources.root)
    }

    private func expectAgreement(on paths: [String], in root: URL) throws {
        for path in paths {
            let url = root.appendingPathComponent(path)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            let source = SourceText(path: path, text: text)
            let parsed = ParsedSource(source)
            do {
                let difference = difference(
                    try DeclarationReader.read(source), ManagedPropertyScanner().scan(parsed))
                // The full Swift parser skips declarations nested deeper than its limit.
                #expect(difference == nil || parsed.tree.hasError, "\(path)")
            } catch {
                // A source that the compiler refuses as well has no meaning to agree on.
                let isRefused = parsed.tree.hasError
                #expect(
                    isRefused, "\(path):\(error.position.line):\(error.position.column): \(error.message)")
            }
        }
    }

    /// Returns the first declaration that only one of the readers has found.
    private func difference(_ read: ScannedFile, _ parsed: ScannedFile) -> String? {
        func first<Element: Equatable>(_ list: KeyPath<ScannedFile, [Element]>) -> String? {
            let (own, other) = (read[keyPath: list], parsed[keyPath: list])
            if own == other { return nil }
            let index =
                zip(own, other).enumerated().first { $0.element.0 != $0.element.1 }?.offset
                ?? min(own.count, other.count)
            return "\(own.dropFirst(index).first.map { "\($0)" } ?? "nothing") instead of "
                + "\(other.dropFirst(index).first.map { "\($0)" } ?? "nothing")"
        }
        return first(\.imports) ?? first(\.types) ?? first(\.members) ?? first(\.properties) ?? first(
            \.methods)
            ?? first(\.validators) ?? first(\.exposed) ?? first(\.requestOwners)
    }
}
#endif
