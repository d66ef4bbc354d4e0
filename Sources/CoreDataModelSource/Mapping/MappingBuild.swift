package import CoreDataModelFormat
package import Foundation

/// An `.xcmappingmodel` compiled with the models that it names.
package struct MappingBuild: Sendable {
    package let document: MappingDocument
    /// The warnings about parts that were left out or guessed, each with the file's path.
    package let diagnostics: [Diagnostic]

    /// Compiles the mapping with the models that `MappingModels` finds.
    ///
    /// - Throws: A `ModelFileError` with the path of the mapping or of the model that is wrong.
    package init(of url: URL, models: [URL] = []) throws {
        let result = try MappingSourceReader().read(at: url)
        do {
            let found = try MappingModels(
                of: result, found: MappingModelSearch(mapping: url, models: models))
            let compiled = try MappingCompiler(
                result.source, source: found.source, destination: found.destination
            ).compile()
            document = compiled.document
            diagnostics =
                result.diagnostics
                + (found.diagnostics + compiled.diagnostics).map { diagnostic in
                    var located = diagnostic
                    located.file = url.path
                    return located
                }
        } catch let error as ModelFileError {
            throw error.inFile(url.path)
        }
    }

    /// Writes the `.cdm`.
    package func write(to url: URL) throws {
        do {
            try ModelFileSystem().write(CompiledMappingWriter(document).cdm(), to: url)
        } catch let error as ModelFileError {
            throw error.inFile(url.path)
        }
    }
}
