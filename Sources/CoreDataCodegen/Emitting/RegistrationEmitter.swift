/// Writes the tables that lead from class names to classes and to value transformers, from key paths to property
/// names, from properties to their validation methods, and from selectors to `@objc` members.
///
/// A module with models has them even if they are empty: they tell the framework that the module is part of the
/// program.
struct RegistrationEmitter {
    let catalog: ManagedClassCatalog
    let exposed: ExposedClassCatalog
    let hasModels: Bool

    func emit(into writer: inout SourceWriter) {
        let classes = catalog.classes.filter { $0.isReachable && !$0.isGeneric }
        let transformers = TransformerCatalog(catalog.index).transformers
        let policies = catalog.index.descendants(of: ["NSEntityMigrationPolicy"]).filter { policy in
            policy.runtimeName != nil && policy.genericParameters.isEmpty
                && catalog.access(of: catalog.index.unqualified(policy.path), from: policy.place.file)
                    > .fileprivate
        }
        let exposure = ExposureEmitter(catalog: exposed)
        guard
            hasModels || !classes.isEmpty || !transformers.isEmpty || !policies.isEmpty
                || !exposed.classes.isEmpty
        else { return }
        writer.line()
        // The framework finds the class by this name when it first needs the module's classes or key paths.
        writer.block("nonisolated public final class ManagedModuleTable: ManagedModule") { writer in
            writer.block("public static func register()") { writer in
                writer.line("registerClasses()")
                for managed in classes {
                    emitKeyPaths(managed, into: &writer)
                    emitValidators(managed, into: &writer)
                }
                exposure.emitCalls(into: &writer)
            }
            writer.line()
            writer.block("fileprivate static func registerClasses()") { writer in
                for managed in classes { emitNames(managed, into: &writer) }
                for transformer in transformers { emitFactory(transformer, into: &writer) }
                for policy in policies { emitName(ofPolicy: policy, into: &writer) }
            }
        }
        exposure.emit(into: &writer)
        writer.line()
        // Entries of this section are called when the program is loaded, which makes names without a module known.
        writer.line("#if compiler(>=6.3)")
        writer.line("@section(\".init_array\") @used")
        writer.line("nonisolated private let managedModuleHook: @convention(c) () -> Void = {")
        writer.line("    ManagedModuleTable.registerClasses()")
        writer.line("}")
        writer.line("#endif")
    }

    private func emitNames(_ managed: ManagedClass, into writer: inout SourceWriter) {
        writer.under(managed.conditions) { writer in
            for name in names(managed) {
                writer.line(
                    "ManagedClasses.register(\"\(name)\", \(spelling(managed)).self, module: \"\(catalog.index.name)\")"
                )
            }
        }
    }

    private func emitFactory(_ transformer: TypeDeclaration, into writer: inout SourceWriter) {
        let path = catalog.index.unqualified(transformer.path)
        let spelling = path.map(NameEscaping.escaped).joined(separator: ".")
        writer.under(transformer.conditions) { writer in
            for name in Set([path.joined(separator: "."), transformer.runtimeName].compactMap(\.self))
                .sorted()
            {
                writer.line(
                    "ManagedClasses.register("
                        + "transformer: \"\(name)\", module: \"\(catalog.index.name)\") { \(spelling)() }")
            }
        }
    }

    private func emitName(ofPolicy policy: TypeDeclaration, into writer: inout SourceWriter) {
        let path = catalog.index.unqualified(policy.path).map(NameEscaping.escaped)
        writer.under(policy.conditions) { writer in
            writer.line(
                "ManagedClasses.register(policy: \"\(policy.runtimeName ?? "")\", \(path.joined(separator: ".")).self)"
            )
        }
    }

    private func emitKeyPaths(_ managed: ManagedClass, into writer: inout SourceWriter) {
        let entries = managed.isIsolated ? [] : keyPaths(managed)
        guard !entries.isEmpty else { return }
        writer.under(managed.conditions) { writer in
            for entry in entries {
                let property = NameEscaping.escaped(entry.property)
                let extra = entry.conditions.filter { !managed.conditions.contains($0) }
                writer.under(extra) { writer in
                    writer.line(
                        "ManagedClasses.register("
                            + "keyPath: \\\(spelling(managed)).\(property), name: \"\(entry.property)\")")
                }
            }
        }
    }

    private func emitValidators(_ managed: ManagedClass, into writer: inout SourceWriter) {
        guard !managed.isIsolated else { return }
        let owner = spelling(managed)
        for validator in managed.validators {
            let key = catalog.property(named: validator.capitalizedKey, of: managed.path)
            writer.under(validator.context.conditions) { writer in
                writer.block(
                    "ManagedClasses.register(validatorFor: \"\(key)\", of: \(owner).self)",
                    arguments: "object, value"
                ) { writer in
                    writer.line("try (object as! \(owner)).\(validator.name)(value)")
                }
            }
        }
    }

    private func spelling(_ managed: ManagedClass) -> String {
        managed.path.map(NameEscaping.escaped).joined(separator: ".")
    }

    /// The class's name and, for a nested or renamed class, the one a model may use.
    private func names(_ managed: ManagedClass) -> [String] {
        var names = [managed.name]
        if managed.path.count > 1, let last = managed.path.last { names.append(last) }
        if let runtimeName = managed.runtimeName, !names.contains(runtimeName) { names.append(runtimeName) }
        return names
    }

    /// Own and inherited: a key path from a subclass is another key path.
    private func keyPaths(_ managed: ManagedClass) -> [ManagedClass.KeyPathName] {
        var entries: [ManagedClass.KeyPathName] = []
        for entry in catalog.lineage(of: managed.path).flatMap(\.keyPathNames)
        where !entries.contains(where: { $0.property == entry.property }) {
            entries.append(entry)
        }
        return entries
    }
}
