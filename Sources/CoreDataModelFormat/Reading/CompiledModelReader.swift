package import Foundation

/// A reader of compiled models (mom §2): the bytes of a `.mom`, or the decompressed model cache of a store,
/// in which subentities also repeat inherited properties.
///
/// The entities and properties of the result are sorted by name, since archives keep no order.
package struct CompiledModelReader {
    package struct Result: Sendable {
        package let document: ModelDocument
        /// The warnings about parts that were not understood and left out.
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
