#if Overlay
import CoreDataCodegen
import CoreDataModelFormat

/// The managed classes of a module that inherit `fetchRequest()` from the framework. On Apple's systems, the
/// inherited method returns a request for any result type.
struct PlainRequests {
    private let classes: Set<[String]>

    init(_ catalog: ManagedClassCatalog, _ documents: [ModelDocument]) {
        let index = catalog.index
        let written = Set(index.files.flatMap(\.requestOwners).map(index.unqualified))
        let generated = documents.flatMap(\.entities).filter { $0.codeGeneration != .manual }
            .compactMap { EntityClass(of: $0, module: index.name)?.path }
        let owners = written.union(generated)
        // A protocol, or an extension of the framework's classes, may declare a `fetchRequest()` for all
        // classes.
        let areClasses = written.allSatisfy {
            index.declaration(at: $0, from: "")?.kind == .nominal(.class)
        }
        let plain = catalog.classes.map(\.path).filter { path in
            let lineage = catalog.lineage(of: path)
            return lineage.last?.superclass == ["NSManagedObject"]
                && lineage.allSatisfy { !owners.contains($0.path) }
        }
        classes = areClasses ? Set(plain) : []
    }

    /// Returns whether names denote one of these classes when they are used inside a type.
    func contain(_ names: [String], in scope: [String]) -> Bool {
        (0...scope.count).contains { classes.contains(scope.prefix($0) + names) }
    }
}
#endif
