package import CoreDataModelFormat
import SwiftSyntax

/// Finds what has to be rewritten in a source, and what no rewriting can help.
package struct PortScanner {
    private let catalog: ManagedClassCatalog
    private let checker: KeyPathChecker
    private let replacedModules: Set<String>

    /// - Parameter library: with the classes that are generated from the models.
    package init(catalog: ManagedClassCatalog, library: ModuleLibrary, documents: [ModelDocument]) {
        self.catalog = catalog
        checker = KeyPathChecker(catalog: catalog, library: library, documents: documents)
        replacedModules = ForeignNames.modulesReexportingFoundation(besides: library.dependencyNames)
    }

    package func scan(_ parsed: ParsedSource) -> FilePort {
        let visitor = PortVisitor(
            parsed, catalog: catalog, checker: checker, replacedModules: replacedModules)
        visitor.walk(parsed.tree)
        return visitor.finish()
    }
}
