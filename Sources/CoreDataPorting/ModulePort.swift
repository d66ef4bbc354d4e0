#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat

/// What it takes to have a module's sources compile on Linux and on Apple's systems alike, and what is left to do.
package struct ModulePort: Sendable {
    package struct Change: Sendable {
        package var path: String
        package var before: String
        package var after: String
    }

    /// The files that become others, in the order of the sources. A module that was ported has none.
    package let changes: [Change]
    /// What nothing can port, what works on Apple's systems alone, and what no accessors can be generated for.
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
