#if Overlay
package import CoreDataCodegen
import SwiftParser
package import SwiftSyntax

/// A hand-written file with its syntax tree.
package struct ParsedSource: Sendable {
    package let source: SourceText
    package let tree: SourceFileSyntax

    package init(_ source: SourceText) {
        self.source = source
        tree = Parser.parse(source: source.text)
    }
}

/// A parser of sources that caches the syntax tree of each source.
package final class SourceParser {
    private var sources: [String: ParsedSource] = [:]

    package init() {}

    package func parsed(_ source: SourceText) -> ParsedSource {
        if let known = sources[source.path] { return known }
        let parsed = ParsedSource(source)
        sources[source.path] = parsed
        return parsed
    }

    package func read(_ source: SourceText) -> ScannedFile { ManagedPropertyScanner().scan(parsed(source)) }
}
#endif
