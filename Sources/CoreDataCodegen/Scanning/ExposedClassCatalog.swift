/// The classes whose `@objc` members the framework calls by their selectors, with these members: managed
/// objects, migration policies and migration managers.
struct ExposedClassCatalog {
    struct ExposedClass {
        let path: [String]
        let conditions: [String]
        var members: [ExposedMember]
        var validators: [Validator] = []
    }

    /// A validation method and the key of the property it validates.
    struct Validator {
        let name: String
        let key: String
        let conditions: [String]
    }

    private(set) var classes: [ExposedClass] = []

    var files: Set<String> { Set(classes.flatMap(\.members).map(\.context.position.file)) }

    /// Collects the classes and members.
    ///
    /// - Parameter file: The file whose private classes and members are collected; nil for the classes and
    ///   members that the whole module can see.
    init(_ catalog: ManagedClassCatalog, privateIn file: String? = nil) {
        let index = catalog.index
        let objects = catalog.classes.filter { !$0.isGeneric }.map { ($0.path, $0.conditions, $0.access) }
        let helpers = index.descendants(of: ["NSEntityMigrationPolicy", "NSMigrationManager"])
            .filter { $0.genericParameters.isEmpty }.map {
                let path = index.unqualified($0.path)
                return (path, $0.conditions, catalog.access(of: path, from: $0.position.file))
            }
        let members = Dictionary(grouping: index.files.flatMap(\.exposed)) {
            index.unqualified($0.context.ownerPath)
        }
        for (path, conditions, access) in objects + helpers
        where !classes.contains(where: { $0.path == path }) {
            let isHidden = access <= .fileprivate
            guard !isHidden || file.map({ index.isNameable(path, in: $0) }) == true else { continue }
            let isExposed = Self.exposesAll(path, in: index)
            let exposed = (members[path] ?? []).filter { member in
                let isPrivate = member.context.access <= .fileprivate
                // `@objcMembers` on a class does not expose private members.
                return (member.isMarked || isExposed && !isPrivate)
                    && Self.isCallable(member.context, isHidden, from: file)
            }
            let validators = file.map { Self.validators(of: path, privateIn: $0, catalog) } ?? []
            guard !exposed.isEmpty || !validators.isEmpty else { continue }
            classes.append(
                ExposedClass(
                    path: path, conditions: conditions, members: exposed, validators: validators))
        }
    }

    /// Returns whether the registering code can call a member without a warning. The code is in the member's
    /// own file if the member or its class is private, otherwise in the generated file.
    private static func isCallable(
        _ context: ManagedMemberContext, _ isHidden: Bool, from file: String?
    ) -> Bool {
        let isPrivate = isHidden || context.access <= .fileprivate
        return (isPrivate ? context.position.file == file : file == nil) && context.availability.isEmpty
            && !context.hasConstraints
    }

    private static func validators(
        of path: [String], privateIn file: String, _ catalog: ManagedClassCatalog
    ) -> [Validator] {
        guard catalog.managedClass(at: path)?.isIsolated == false else { return [] }
        let validators = catalog.index.files.first { $0.path == file }?.validators ?? []
        return validators.filter {
            catalog.index.unqualified($0.context.ownerPath) == path && !$0.capitalizedKey.isEmpty
                && $0.context.access <= .fileprivate
                && isCallable($0.context, false, from: file)
        }.map {
            Validator(
                name: $0.name, key: catalog.property(named: $0.capitalizedKey, of: path),
                conditions: $0.context.conditions)
        }
    }

    /// Returns whether the class, or a class that it inherits from, is marked `@objcMembers`.
    private static func exposesAll(_ path: [String], in index: ModuleIndex) -> Bool {
        var visited: Set<[String]> = []
        var current = index.declaration(at: path, from: "")
        while let declaration = current, visited.insert(declaration.path).inserted {
            if declaration.exposesMembers { return true }
            guard case .named(let components)? = declaration.inherited.first else { return false }
            current = index.declaration(
                at: index.unqualified(components.map(\.name)), from: declaration.position.file)
        }
        return false
    }
}
