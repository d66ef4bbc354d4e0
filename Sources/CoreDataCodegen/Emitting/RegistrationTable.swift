/// The classes and members that a module, or one file, registers with the framework when they are first
/// needed.
struct RegistrationTable {
    let catalog: ManagedClassCatalog
    let classes: [ManagedClass]
    let exposed: ExposedClassCatalog
    var transformers: [TypeDeclaration] = []
    var policies: [TypeDeclaration] = []
    var privateTables: [String] = []

    var isEmpty: Bool {
        classes.isEmpty && transformers.isEmpty && policies.isEmpty && exposed.classes.isEmpty
            && privateTables.isEmpty
    }

    /// Writes a type that registers them, and the extensions it needs for that.
    ///
    /// - Parameter isPublic: Whether the framework calls the type; otherwise the generated file does.
    func emit(_ head: String, isPublic: Bool, into writer: inout SourceWriter) {
        let exposure = ExposureEmitter(catalog: exposed)
        writer.line()
        writer.block(head) { writer in
            writer.block((isPublic ? "public " : "") + "static func register()") { writer in
                writer.line("registerClasses()")
                for managed in classes {
                    emitKeyPaths(managed, into: &writer)
                    emitValidators(managed, exposure, into: &writer)
                }
                exposure.emitCalls(into: &writer)
                for table in privateTables { writer.line("\(table).register()") }
            }
            writer.line()
            writer.block((isPublic ? "fileprivate " : "") + "static func registerClasses()") { writer in
                for managed in classes { emitNames(managed, into: &writer) }
                for transformer in transformers { emitFactory(transformer, into: &writer) }
                for policy in policies { emitName(ofPolicy: policy, into: &writer) }
                for table in privateTables { writer.line("\(table).registerClasses()") }
            }
        }
        exposure.emit(into: &writer)
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

    private func emitValidators(
        _ managed: ManagedClass, _ exposure: ExposureEmitter, into writer: inout SourceWriter
    ) {
        guard !managed.isIsolated else { return }
        for validator in managed.validators {
            exposure.emit(
                ExposedClassCatalog.Validator(
                    name: validator.name,
                    key: catalog.property(named: validator.capitalizedKey, of: managed.path),
                    conditions: validator.context.conditions),
                of: spelling(managed), into: &writer)
        }
    }

    private func spelling(_ managed: ManagedClass) -> String {
        managed.path.map(NameEscaping.escaped).joined(separator: ".")
    }

    /// Returns the class's name and, for a nested or renamed class, the name that a model may use.
    private func names(_ managed: ManagedClass) -> [String] {
        var names = [managed.name]
        if managed.path.count > 1, let last = managed.path.last { names.append(last) }
        if let runtimeName = managed.runtimeName, !names.contains(runtimeName) { names.append(runtimeName) }
        return names
    }

    /// Returns the class's own key paths and the inherited ones, since a key path with the subclass as its
    /// root differs from the same key path of the superclass.
    private func keyPaths(_ managed: ManagedClass) -> [ManagedClass.KeyPathName] {
        var entries: [ManagedClass.KeyPathName] = []
        for entry in catalog.lineage(of: managed.path).flatMap(\.keyPathNames)
        where !entries.contains(where: { $0.property == entry.property }) {
            entries.append(entry)
        }
        return entries
    }
}
