package import CoreDataModelFormat

/// A version of a model, with the diagnostics of its reader.
package struct ModelVersion: Sendable {
    /// The base name of the version's folder or file.
    package let name: String
    package let document: ModelDocument
    package let locations: SourceLocations
    /// The diagnostics of the reader; `ModelLinter` finds the others.
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
