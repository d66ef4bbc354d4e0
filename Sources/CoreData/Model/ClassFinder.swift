import Foundation

/// A finder of classes by their names in models: `Module.Class`, `Module.Outer.Class` or a bare `Class`.
struct ClassFinder {
    /// The file that the plugin puts into the model folders it compiles.
    static let tableName = "Classes.plist"

    /// The `Module.Class` of each bare name, from that file.
    private let qualifiedNames: [String: String]
    /// Modules that bare names may belong to.
    private let modules: [String]

    init(source: URL?) {
        let table = source.map { $0.appendingPathComponent(Self.tableName) }
            .flatMap { try? Data(contentsOf: $0) }
            .flatMap { try? PropertyListDecoder().decode([String: String].self, from: $0) }
        qualifiedNames = table ?? [:]
        modules = Self.modules(of: source)
    }

    /// Makes a finder for bare names.
    ///
    /// - Parameter module: The module that a bare name may belong to, besides those of the program.
    init(module: String) {
        qualifiedNames = [:]
        modules = [module] + Self.modules(of: nil)
    }

    func find(_ name: String) -> NSManagedObject.Type? {
        let name = name.hasPrefix(".") ? String(name.dropFirst()) : name
        if let registered = ManagedClasses.type(named: name, modules: modules) { return registered }
        return find(name, as: NSManagedObject.Type.self)
    }

    /// Returns a class that is not a managed object's, and is therefore in no table.
    func find<Kind>(_ name: String, as kind: Kind.Type) -> Kind? {
        // In two steps, since a cast of the optional, when optimized, would read a class even for nil.
        if let noted = ClassNames.type(named: name), let found = noted as? Kind { return found }
        let candidates =
            [qualifiedNames[name] ?? name] + (modules + ["CoreData"]).map { "\($0).\(name)" }
        return candidates.lazy.compactMap { Self.type(named: $0, as: kind) }.first
    }

    /// Returns the module that the resource folder around a model belongs to, and that of the program itself.
    private static func modules(of source: URL?) -> [String] {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingPathExtension().lastPathComponent
        let folder = source?.pathComponents.lazy.compactMap(ResourceFolder.init(name:)).last
        return (folder?.modules ?? []) + [ResourceFolder.moduleName(program)]
    }

    /// Returns a class by its full name.
    ///
    /// A class inside another type is only found by its mangled name, which says what kind each outer type
    /// is: all combinations are tried.
    private static func type<Kind>(named name: String, as kind: Kind.Type) -> Kind? {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count > 1 else { return nil }
        if let found = _typeByName(name) as? Kind { return found }
        var manglings = ["\(parts[0].utf8.count)\(parts[0])"]
        for (position, part) in parts.dropFirst().enumerated() {
            let kinds = position == parts.count - 2 ? ["C"] : ["C", "V", "O"]
            manglings = manglings.flatMap { outer in kinds.map { "\(outer)\(part.utf8.count)\(part)\($0)" } }
        }
        return manglings.lazy.compactMap { _typeByName($0) as? Kind }.first
    }
}
