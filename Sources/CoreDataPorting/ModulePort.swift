#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat

/// The changes that make a module's sources compile both on Linux and on Apple's systems, and the problems
/// that remain.
package struct ModulePort: Sendable {
    package struct Change: Sendable {
        package var path: String
        package var before: String
        package var after: String
    }

    /// The files that change, in the order of the sources; none if the module is already ported.
    package let changes: [Change]
    /// Code that cannot be ported, code that works only on Apple's systems, and declarations for which no
    /// accessors can be generated.
    package let problems: [Diagnostic]
    package let foreignUses: [ForeignUse]

    package init(_ sources: [ParsedSource], library: ModuleLibrary, documents: [ModelDocument]) {
        let overlay = ModuleOverlay(sources, library: library, documents: documents)
        changes = overlay.ports.compactMap { port in
            let text = port.portableText
            guard text != port.source.text else { return nil }
            return Change(path: port.source.path, before: port.source.text, after: text)
        }
        problems =
            overlay.ports.flatMap { $0.refusals + $0.inPlaceRefusals + $0.warnings }
            + SourceGenerator(library: library, documents: documents).generate().diagnostics
        foreignUses = sources.flatMap(ForeignUse.all)
    }
}
#endif
