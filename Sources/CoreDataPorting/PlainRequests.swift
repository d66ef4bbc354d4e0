#if Overlay
import CoreDataCodegen
import CoreDataModelFormat

/// The managed classes of a module that have `fetchRequest()` from the framework alone, which is a request for any
/// result on Apple's systems.
struct PlainRequests {
    private let classes: Set<[String]>

    init(_ catalog: ManagedClassCatalog, _ documents: [ModelDocument]) {
        let index = catalog.index
        let written = Set(index.files.flatMap(\.requestOwners).map(index.unqualified))
        let generated = documents.flatMap(\.entities).filter { $0.codeGeneration != .manual }
            .compactMap { EntityClass(of: $0, module: index.name)?.path }
        let owners = written.union(generated)
        // A protocol, or an extension of the framework's classes, may have one for all.
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

    /// Whether names stand for such a class inside a type.
    func contain(_ names: [String], in scope: [String]) -> Bool {
        (0...scope.count).contains { classes.contains(scope.prefix($0) + names) }
    }
}
#endif
