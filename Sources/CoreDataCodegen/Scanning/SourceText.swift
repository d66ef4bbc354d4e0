/// A hand-written file before it is parsed.
package struct SourceText: Sendable, Hashable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

extension ModuleIndex {
    package init(name: String, sources: [SourceText]) {
        let scanner = ManagedPropertyScanner()
        self.init(name: name, files: sources.map { scanner.scan($0.text, path: $0.path) })
    }
}
