package import CoreDataModelFormat

/// The module being built and the modules it depends on, which are read when a name is looked up in them.
package final class ModuleLibrary {
    package let target: ModuleIndex
    package let dependencyNames: [String]
    private let load: (String) throws -> ModuleIndex
    private var loaded: [String: ModuleIndex] = [:]

    /// - Parameter load: Reads and scans the sources of one of the dependencies.
    package init(
        target: ModuleIndex,
        dependencies: [String] = [],
        load: @escaping (String) throws -> ModuleIndex = { ModuleIndex(name: $0, files: []) }
    ) {
        self.target = target
        dependencyNames = dependencies
        self.load = load
    }

    /// Returns the library together with the classes that are generated from the target's models.
    package func generatingClasses(of documents: [ModelDocument]) -> ModuleLibrary {
        ModuleLibrary(
            target: target.generatingClasses(of: documents), dependencies: dependencyNames, load: load)
    }

    package func dependency(_ name: String) throws -> ModuleIndex? {
        guard dependencyNames.contains(name) else { return nil }
        if let index = loaded[name] { return index }
        let index = try load(name)
        loaded[name] = index
        return index
    }

    /// Returns the dependency that declares a top-level name; modules that the file imports are searched
    /// first.
    package func dependency(declaring name: String, seenFrom file: String) throws -> ModuleIndex? {
        let imported = target.files.first { $0.path == file }?.imports.map(\.module) ?? []
        let others = dependencyNames.filter { !imported.contains($0) }
        for module in imported.filter(dependencyNames.contains) + others {
            if let index = try dependency(module), index.declaration(at: [name], from: "") != nil {
                return index
            }
        }
        return nil
    }
}
