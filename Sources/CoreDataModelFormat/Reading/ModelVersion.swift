/// One version of a model and what was noticed while reading it.
package struct ModelVersion: Sendable {
    /// Base name of the version's folder or file.
    package let name: String
    package let document: ModelDocument
    package let locations: SourceLocations
    /// What the reader found; `ModelLinter` finds the rest.
    package let diagnostics: [Diagnostic]

    package init(
        name: String,
        document: ModelDocument,
        locations: SourceLocations = SourceLocations(),
        diagnostics: [Diagnostic] = []
    ) {
        self.name = name
        self.document = document
        self.locations = locations
        self.diagnostics = diagnostics
    }
}
