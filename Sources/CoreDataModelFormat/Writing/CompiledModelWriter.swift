package import Foundation

/// Compiles a document into the archive the framework reads (mom §2). Equal documents give equal bytes.
/// Throws a `ModelFileError` for a predicate or expression that does not parse.
package struct CompiledModelWriter {
    private let document: ModelDocument
    private let moduleName: String?

    /// `moduleName` stands for the leading dot of class names (`.Song` is `Music.Song`).
    package init(_ document: ModelDocument, moduleName: String? = nil) {
        self.document = document
        self.moduleName = moduleName
    }

    /// The bytes of a `.mom`.
    package func mom() throws -> Data {
        try ArchivedModelWriter(document, flavour: .compiled, moduleName: moduleName).write()
    }

    /// The content of `Z_MODELCACHE`, not yet deflated (mom §6).
    package func modelCache() throws -> Data {
        try ArchivedModelWriter(document, flavour: .modelCache, moduleName: moduleName).write()
    }
}
