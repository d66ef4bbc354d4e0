package import CoreDataModelFormat
package import Foundation

/// The sources of a module as the compiler is to read them: ported texts for those that need it, and the file that
/// tells the compiler to read these under the names of the others.
package struct ModuleOverlay: Sendable {
    /// The files of the module, in the order of its sources.
    package let ports: [FilePort]
    /// What generated classes declare for extensions that override.
    package let generatedOverrides: [GeneratedOverride]
    /// The types in the ported texts that tell of private members.
    let privateTables: [String]

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
        privateTables = members.values.map(\.table).sorted()
        generatedOverrides = transfer.generated
    }

    package var refusals: [Diagnostic] { ports.flatMap { $0.refusals + $0.overlayRefusals } }

    /// Those whose accessors stand in the ported texts, so that nothing else has to supply them.
    package var computedProperties: Set<SourcePlace> {
        ports.reduce(into: []) { $0.formUnion($1.computedProperties) }
    }

    /// What to say of a target that needs the overlay and does not ask for it: once, at the first place.
    package func missing(module: String) -> Diagnostic? {
        for port in ports {
            guard
                let required = port.rewrites.filter(\.isRequired).min(by: {
                    $0.range.lowerBound < $1.range.lowerBound
                })
            else { continue }
            return Diagnostic(
                .warning,
                "this does not compile or fails on Linux as it is: add `.define(\"CORE_DATA_OVERLAY\"), .unsafeFlags([\"-vfsoverlay\", "
                    + "Context.packageDirectory + \"/.build/CoreDataOverlay/\(module).yaml\"], "
                    + ".when(platforms: [.linux]))` to the swiftSettings of the target, and it is ported when the target is built",
                file: port.source.path, line: port.line(of: required))
        }
        return nil
    }

    /// The file for the compiler's option `-vfsoverlay`, in the form of JSON that YAML includes.
    ///
    /// - Parameter copies: where the ported text of each of some files lies.
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
        /// The compiler, what it says and the debugger know the original's name alone.
        var usesExternalNames = false
        var roots: [Root]

        enum CodingKeys: String, CodingKey {
            case version, roots
            case usesExternalNames = "use-external-names"
        }
    }
}
