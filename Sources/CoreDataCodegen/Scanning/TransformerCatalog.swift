/// The value transformers of a module that can be made by name: models name a transformer that nobody registered by
/// its class, and Swift on Linux cannot make an instance of a class that is known at run time only.
struct TransformerCatalog {
    private static let roots: Set<String> = ["ValueTransformer", "NSSecureUnarchiveFromDataTransformer"]

    let transformers: [TypeDeclaration]

    init(_ index: ModuleIndex) {
        // A class of the module's own by that name is another one.
        var known = Self.roots.filter { !index.declares($0) }
        var found: [TypeDeclaration] = []
        var rest = index.classes
        while let position = rest.firstIndex(where: { Self.superclassName($0).map(known.contains) ?? false })
        {
            let declaration = rest.remove(at: position)
            known.insert(declaration.name)
            found.append(declaration)
        }
        transformers = found.filter { declaration in
            declaration.access > .fileprivate && declaration.genericParameters.isEmpty
                && !declaration.isMainActor && declaration.hasPlainInitializer
        }
    }

    private static func superclassName(_ declaration: TypeDeclaration) -> String? {
        guard case .named(let components)? = declaration.inherited.first else { return nil }
        return components.last?.name
    }
}
