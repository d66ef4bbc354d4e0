package import Foundation

/// A writer of the archive that the framework reads (mom §2).
///
/// Equal documents give equal bytes. A predicate or expression that does not parse throws a `ModelFileError`.
package struct CompiledModelWriter {
    private let document: ModelDocument
    private let moduleName: String?

    /// Makes a writer of a document.
    ///
    /// - Parameter moduleName: The module that a leading dot in class names stands for: `.Song` is
    ///   `Music.Song` in the module Music.
    package init(_ document: ModelDocument, moduleName: String? = nil) {
        self.document = document
        self.moduleName = moduleName
    }

    /// Returns the bytes of a `.mom`.
    package func mom() throws -> Data {
        try ArchivedModelWriter(document, flavour: .compiled, moduleName: moduleName).write()
    }

    /// Returns the content of `Z_MODELCACHE` before compression (mom §6).
    package func modelCache() throws -> Data {
        try ArchivedModelWriter(document, flavour: .modelCache, moduleName: moduleName).write()
    }
}
