/// The value transformers of a module that are made by name. A model may name an unregistered transformer by
/// its class, but Swift on Linux cannot make an instance of a class that is known only at run time.
struct TransformerCatalog {
    private static let roots: Set<String> = ["ValueTransformer", "NSSecureUnarchiveFromDataTransformer"]

    let transformers: [TypeDeclaration]

    init(_ index: ModuleIndex) {
        transformers = index.descendants(of: Self.roots).filter { declaration in
            declaration.access > .fileprivate && declaration.genericParameters.isEmpty
                && !declaration.isMainActor && declaration.hasPlainInitializer
        }
    }
}
