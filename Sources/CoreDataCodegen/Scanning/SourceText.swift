import SwiftParser
package import SwiftSyntax

/// A hand-written file before it is parsed.
package struct SourceText: Sendable, Hashable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// A hand-written file with its syntax.
package struct ParsedSource: Sendable {
    package let source: SourceText
    package let tree: SourceFileSyntax

    package init(_ source: SourceText) {
        self.source = source
        tree = Parser.parse(source: source.text)
    }
}

extension ModuleIndex {
    package init(name: String, parsed sources: [ParsedSource]) {
        let scanner = ManagedPropertyScanner()
        self.init(name: name, files: sources.map(scanner.scan))
    }

    package init(name: String, sources: [SourceText]) {
        self.init(name: name, parsed: sources.map(ParsedSource.init))
    }
}
