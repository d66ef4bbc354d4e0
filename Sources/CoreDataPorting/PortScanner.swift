#if Overlay
package import CoreDataCodegen
package import CoreDataModelFormat
import SwiftSyntax

/// The search for the places of a source that have to be rewritten, and for those that cannot be ported.
package struct PortScanner {
    private let catalog: ManagedClassCatalog
    private let checker: KeyPathLiteralResolver
    private let plainRequests: PlainRequests
    private let library: ModuleLibrary
    private let replacedModules: Set<String>

    /// - Parameter library: The modules, with the classes that are generated from the models.
    package init(catalog: ManagedClassCatalog, library: ModuleLibrary, documents: [ModelDocument]) {
        self.catalog = catalog
        self.library = library
        checker = KeyPathLiteralResolver(library)
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

/// A file that was ported by itself, with its classes and overrides, which are then matched across the
/// module.
struct PortedFile {
    struct Class {
        let path: [String]
        let body: MemberBlockSyntax
        /// The `#if` conditions with unknown values around the class.
        let conditions: [String]
    }

    let port: FilePort
    let tree: SourceFileSyntax
    let classes: [Class]
    /// The overrides in the file's extensions.
    let overrides: [ExtensionOverride]

    /// Returns the body of the class that is under exactly these conditions.
    func body(of path: [String], under conditions: [String]) -> MemberBlockSyntax? {
        classes.first { $0.path == path && $0.conditions == conditions }?.body
    }
}
#endif
