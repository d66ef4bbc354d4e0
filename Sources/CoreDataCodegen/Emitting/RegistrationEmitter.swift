/// The writer of the tables that map class names to classes and to value transformers, key paths to property
/// names, properties to their validation methods, and selectors to `@objc` members.
///
/// A module with models has these tables even if they are empty: they tell the framework that the module is
/// part of the program.
struct RegistrationEmitter {
    let catalog: ManagedClassCatalog
    let exposed: ExposedClassCatalog
    let hasModels: Bool
    /// The names of the types that register the private members of single files.
    let privateTables: [String]

    func emit(into writer: inout SourceWriter) {
        let table = RegistrationTable(
            catalog: catalog, classes: catalog.classes.filter { $0.isReachable && !$0.isGeneric },
            exposed: exposed, transformers: TransformerCatalog(catalog.index).transformers,
            policies: catalog.index.descendants(of: ["NSEntityMigrationPolicy"]).filter { policy in
                policy.runtimeName != nil && policy.genericParameters.isEmpty
                    && catalog.access(of: catalog.index.unqualified(policy.path), from: policy.position.file)
                        > .fileprivate
            },
            privateTables: privateTables)
        guard hasModels || !table.isEmpty else { return }
        // The framework finds the class by this name when it first needs the module's classes or key paths.
        table.emit(
            "nonisolated public final class ManagedModuleTable: ManagedModule", isPublic: true, into: &writer)
        writer.line()
        // When the program starts, the loader calls the entries of this section. They register the names that
        // lack a module.
        writer.line("#if compiler(>=6.3)")
        writer.line("@section(\".init_array\") @used")
        writer.line("nonisolated private let managedModuleHook: @convention(c) () -> Void = {")
        writer.line("    ManagedModuleTable.registerClasses()")
        writer.line("}")
        writer.line("#endif")
    }
}
