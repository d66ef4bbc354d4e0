/// Writes the tables that lead from class names to classes and from key paths to property names, and the hook
/// that hands them to the framework when the program is loaded.
struct RegistrationEmitter {
    let catalog: ManagedClassCatalog

    func emit(into writer: inout SourceWriter) {
        let classes = catalog.classes.filter { $0.isReachable && !$0.isGeneric }
        guard !classes.isEmpty else { return }
        writer.line()
        writer.block("nonisolated private func registerManagedClasses()") { writer in
            for managed in classes { emit(managed, into: &writer) }
        }
        writer.line()
        // Entries of this section are called at load time, before `main`.
        writer.line("#if compiler(>=6.3)")
        writer.line("@section(\".init_array\") @used")
        writer.line(
            "nonisolated private let managedClassesHook: @convention(c) () -> Void = { registerManagedClasses() }"
        )
        writer.line("#else")
        writer.line("@_section(\".init_array\") @_used")
        writer.line(
            "nonisolated private let managedClassesHook: @convention(c) () -> Void = { registerManagedClasses() }"
        )
        writer.line("#endif")
    }

    private func emit(_ managed: ManagedClass, into writer: inout SourceWriter) {
        let spelling = managed.path.map(NameEscaping.escaped).joined(separator: ".")
        writer.under(managed.conditions) { writer in
            for name in names(managed) {
                writer.line(
                    "ManagedClasses.register(\"\(name)\", \(spelling).self, module: \"\(catalog.index.name)\")"
                )
            }
            guard !managed.isIsolated else { return }
            for entry in keyPaths(managed) {
                let extra = entry.conditions.filter { !managed.conditions.contains($0) }
                writer.under(extra) { writer in
                    let property = NameEscaping.escaped(entry.property)
                    writer.line(
                        "ManagedClasses.register(keyPath: \\\(spelling).\(property), name: \"\(entry.property)\")"
                    )
                }
            }
        }
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
        var current: ManagedClass? = managed
        var visited: Set<[String]> = []
        while let owner = current, visited.insert(owner.path).inserted {
            for entry in owner.keyPathNames where !entries.contains(where: { $0.property == entry.property })
            {
                entries.append(entry)
            }
            current = owner.superclass.flatMap(catalog.managedClass(at:))
        }
        return entries
    }
}
