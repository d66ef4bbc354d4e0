package import Foundation

/// Reads compiled models (mom §2): the bytes of a `.mom`, or an inflated model cache of a store, which
/// differs only in that subentities repeat what they inherit. Entities and properties come sorted by name,
/// since archives keep no order.
package struct CompiledModelReader {
    package struct Result: Sendable {
        package let document: ModelDocument
        /// What was not understood and left out.
        package let diagnostics: [Diagnostic]
    }

    package init() {}

    package func read(_ data: Data) throws -> Result {
        var reader = ArchivedModelReader()
        let archive = try KeyedArchive(data)
        let document = try reader.model(archive.root())
        try archive.requireWhole()
        try ModelBounds.require(document)
        return Result(document: document, diagnostics: reader.diagnostics)
    }
}
