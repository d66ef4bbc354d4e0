#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat
package import Foundation

/// The sources of a module as the compiler reads them: ported texts for the sources that need it, and an
/// index file that makes the compiler read these texts instead of the originals.
package struct ModuleOverlay: Sendable {
    /// The ported files of the module, in the order of its sources.
    package let ports: [FilePort]
    /// The declarations in these files that change the generated file.
    package let declarations: PortedDeclarations

    package init(_ sources: [ParsedSource], library: ModuleLibrary, documents: [ModelDocument]) {
        let library = library.generatingClasses(of: documents)
        let catalog = ManagedClassCatalog(index: library.target, documents: documents)
        let scanner = PortScanner(catalog: catalog, library: library, documents: documents)
        let transfer = OverrideTransfer(sources.map(scanner.scan), catalog: catalog)
        let members = Dictionary(
            uniqueKeysWithValues: library.target.files.compactMap { file in
                PrivateMembers(of: file, in: catalog).map { (file.path, $0) }
            })
        ports = transfer.ports.map { port in
            var port = port
            port.additions += members[port.source.path]?.lines ?? []
            return port
        }
        declarations = PortedDeclarations(
            computedProperties: ports.reduce(into: []) { $0.formUnion($1.computedProperties) },
            overrides: transfer.generated, privateTables: members.values.map(\.table).sorted())
    }

    package var refusals: [Diagnostic] { ports.flatMap { $0.refusals + $0.overlayRefusals } }

    /// Returns the file for the compiler's option `-vfsoverlay`, as JSON, which is valid YAML.
    ///
    /// - Parameter copies: The paths of some sources and of their ported texts.
    package static func index(of copies: [(original: String, copy: String)]) throws -> Data {
        let index = Index(roots: copies.map { Index.Root(name: $0.original, contents: $0.copy) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(index)
    }

    private struct Index: Encodable {
        struct Root: Encodable {
            var name: String
            var type = "file"
            var contents: String

            enum CodingKeys: String, CodingKey {
                case name, type
                case contents = "external-contents"
            }
        }

        var version = 0
        /// False, so that the compiler, its diagnostics and the debugger show the original's name.
        var usesExternalNames = false
        var roots: [Root]

        enum CodingKeys: String, CodingKey {
            case version, roots
            case usesExternalNames = "use-external-names"
        }
    }
}
#endif
