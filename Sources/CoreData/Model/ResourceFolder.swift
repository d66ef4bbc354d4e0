import Foundation

/// The folder `<Package>_<Target>.resources` that the build makes for the resources of a target.
struct ResourceFolder {
    /// The modules that the folder may belong to: package and target may have underscores in their names, so
    /// the boundary between them is not certain.
    let modules: [String]

    /// Reads the name of a folder; nil for another kind of folder.
    init?(name: String) {
        let file = URL(fileURLWithPath: name)
        guard ["resources", "bundle"].contains(file.pathExtension) else { return nil }
        let parts = file.deletingPathExtension().lastPathComponent.split(
            separator: "_", omittingEmptySubsequences: false)
        modules = parts.indices.dropFirst().map { Self.moduleName(parts[$0...].joined(separator: "_")) }
    }

    /// Returns the module of a target or program of that name.
    static func moduleName(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Returns whether a model in such a folder can be the program's.
    ///
    /// False if the plugin compiled it for a module that is not part of the program, as in a build folder
    /// with several programs.
    func offers(_ model: URL) -> Bool {
        let table = model.appendingPathComponent(ClassFinder.tableName)
        guard FileManager.default.fileExists(atPath: table.path) else { return true }
        return modules.contains(where: ManagedClasses.isLinked)
    }
}
