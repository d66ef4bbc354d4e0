/// The classes whose `@objc` members the framework calls by their selectors, with those members: managed objects,
/// migration policies and migration managers.
struct ExposedClassCatalog {
    struct ExposedClass {
        let path: [String]
        let conditions: [String]
        var members: [ExposedMember]
    }

    private(set) var classes: [ExposedClass] = []

    var files: Set<String> { Set(classes.flatMap(\.members).map(\.context.place.file)) }

    init(_ catalog: ManagedClassCatalog) {
        let index = catalog.index
        let objects = catalog.classes.filter { !$0.isGeneric }.map { ($0.path, $0.conditions) }
        let helpers = index.descendants(of: ["NSEntityMigrationPolicy", "NSMigrationManager"])
            .filter { $0.genericParameters.isEmpty }.map { (index.unqualified($0.path), $0.conditions) }
        let members = Dictionary(grouping: index.files.flatMap(\.exposed)) {
            index.unqualified($0.context.ownerPath)
        }
        for (path, conditions) in objects + helpers {
            let isExposed = Self.exposesAll(path, in: index)
            let exposed = (members[path] ?? []).filter { ($0.isMarked || isExposed) && Self.isCallable($0) }
            guard !exposed.isEmpty, catalog.access(of: path, from: "") > .fileprivate,
                !classes.contains(where: { $0.path == path })
            else { continue }
            classes.append(ExposedClass(path: path, conditions: conditions, members: exposed))
        }
    }

    /// From the generated file, without a warning.
    private static func isCallable(_ member: ExposedMember) -> Bool {
        let context = member.context
        return context.access > .fileprivate && context.availability.isEmpty && !context.hasConstraints
    }

    /// Whether the class or one that it inherits from is marked `@objcMembers`.
    private static func exposesAll(_ path: [String], in index: ModuleIndex) -> Bool {
        var visited: Set<[String]> = []
        var current = index.declaration(at: path, from: "")
        while let declaration = current, visited.insert(declaration.path).inserted {
            if declaration.exposesMembers { return true }
            guard case .named(let components)? = declaration.inherited.first else { return false }
            current = index.declaration(
                at: index.unqualified(components.map(\.name)), from: declaration.place.file)
        }
        return false
    }
}
