#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat
import SwiftSyntax

/// Finds what has to be rewritten in a source, and what no rewriting can help.
package struct PortScanner {
    private let catalog: ManagedClassCatalog
    private let checker: KeyPathChecker
    private let plainRequests: PlainRequests
    private let library: ModuleLibrary
    private let replacedModules: Set<String>

    /// - Parameter library: with the classes that are generated from the models.
    package init(catalog: ManagedClassCatalog, library: ModuleLibrary, documents: [ModelDocument]) {
        self.catalog = catalog
        self.library = library
        checker = KeyPathChecker(library)
        plainRequests = PlainRequests(catalog, documents)
        replacedModules = ForeignNames.modulesReexportingFoundation(besides: library.dependencyNames)
    }

    func scan(_ parsed: ParsedSource) -> PortedFile {
        let visitor = PortVisitor(
            parsed, catalog: catalog, checker: checker, plainRequests: plainRequests, library: library,
            replacedModules: replacedModules)
        visitor.walk(parsed.tree)
        return PortedFile(
            port: visitor.finish(), tree: parsed.tree, classes: visitor.classes, overrides: visitor.overrides)
    }
}

/// A source ported for itself, with what the whole module decides about.
struct PortedFile {
    struct Class {
        let path: [String]
        let body: MemberBlockSyntax
        /// The `#if` conditions around it that cannot be told.
        let conditions: [String]
    }

    let port: FilePort
    let tree: SourceFileSyntax
    let classes: [Class]
    /// What extensions override.
    let overrides: [ExtensionOverride]

    /// The body of the class that stands under exactly these conditions.
    func body(of path: [String], under conditions: [String]) -> MemberBlockSyntax? {
        classes.first { $0.path == path && $0.conditions == conditions }?.body
    }
}
#endif
