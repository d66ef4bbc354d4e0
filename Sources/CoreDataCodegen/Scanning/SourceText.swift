/// The path and text of a hand-written file.
package struct SourceText: Sendable, Hashable {
    package var path: String
    package var text: String

    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// A function that finds the declarations of a source: `DeclarationReader`, or a parser of all of Swift.
package typealias SourceReading = (SourceText) throws -> ScannedFile

extension ModuleIndex {
    package init(name: String, sources: [SourceText], read: SourceReading = DeclarationReader.read) throws {
        self.init(name: name, files: try sources.map(read))
    }
}
