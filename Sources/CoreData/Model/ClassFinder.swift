import Foundation

/// Finds a class by the name a model has for it: `Module.Class`, `Module.Outer.Class` or a bare `Class`.
struct ClassFinder {
    /// Bare names to `Module.Class`, as the `Classes.plist` beside a compiled model says.
    private let qualifiedNames: [String: String]
    /// Modules that bare names may belong to.
    private let modules: [String]

    init(source: URL?) {
        let table = source.map { $0.appendingPathComponent("Classes.plist") }
            .flatMap { try? Data(contentsOf: $0) }
            .flatMap { try? PropertyListDecoder().decode([String: String].self, from: $0) }
        qualifiedNames = table ?? [:]
        modules = Self.modules(of: source)
    }

    func find(_ name: String) -> NSManagedObject.Type? {
        let name = name.hasPrefix(".") ? String(name.dropFirst()) : name
        if let registered = ManagedClasses.type(named: name, modules: modules) { return registered }
        let candidates = [qualifiedNames[name] ?? name] + modules.map { "\($0).\(name)" }
        for candidate in candidates {
            if let found = Self.type(named: candidate) { return found }
        }
        return nil
    }

    /// The target that a resource folder `<Package>_<Target>.resources` belongs to, however the name splits, and
    /// the module of the program itself.
    private static func modules(of source: URL?) -> [String] {
        var modules: [String] = []
        if let folder = source?.pathComponents.last(where: {
            $0.hasSuffix(".resources") || $0.hasSuffix(".bundle")
        }) {
            let parts = folder.split(separator: ".").dropLast().joined(separator: ".").split(separator: "_")
            modules += parts.indices.dropFirst().map { parts[$0...].joined(separator: "_") }
        }
        modules.append(
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingPathExtension().lastPathComponent)
        return modules.map { $0.map { $0.isLetter || $0.isNumber ? $0 : "_" } }.map { String($0) }
    }

    /// A class by its full name. A class inside another type is only found by its mangled name, which says what
    /// kind each outer type is: all combinations are tried.
    private static func type(named name: String) -> NSManagedObject.Type? {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count > 1 else { return nil }
        if let found = _typeByName(name) as? NSManagedObject.Type { return found }
        var manglings = ["\(parts[0].utf8.count)\(parts[0])"]
        for (position, part) in parts.dropFirst().enumerated() {
            let kinds = position == parts.count - 2 ? ["C"] : ["C", "V", "O"]
            manglings = manglings.flatMap { outer in kinds.map { "\(outer)\(part.utf8.count)\(part)\($0)" } }
        }
        return manglings.lazy.compactMap { _typeByName($0) as? NSManagedObject.Type }.first
    }
}
