package import CoreDataModelFormat

/// A class of managed objects in the module being built, hand-written or generated.
package struct ManagedClass: Sendable, Hashable {
    package var path: [String]
    package var superclass: [String]?
    package var access: AccessLevel
    package var isGeneric: Bool
    /// Whether the class is isolated to an actor. If so, key paths to its properties cannot be made outside
    /// of the actor.
    package var isIsolated: Bool
    package var runtimeName: String?
    package var conditions: [String]
    /// The names of the properties that other files can form key paths to.
    package var keyPathNames: [KeyPathName] = []
    package var validators: [ValidatorDeclaration] = []

    package struct KeyPathName: Sendable, Hashable {
        package var property: String
        package var conditions: [String]
    }

    package var name: String { path.joined(separator: ".") }
    package var isReachable: Bool { access > .fileprivate }
}

/// All classes of managed objects of a module: those that inherit from `NSManagedObject` according to the
/// sources, those with managed properties, and those that a model names.
package struct ManagedClassCatalog: Sendable {
    package let index: ModuleIndex
    package private(set) var classes: [ManagedClass] = []

    package init(index: ModuleIndex, documents: [ModelDocument]) {
        self.index = index
        addHandWritten(namedBy: documents)
        for document in documents { addGenerated(document) }
        limitAccessOfGenerated()
        addKeyPaths()
        addValidators()
    }

    package func managedClass(at path: [String]) -> ManagedClass? {
        classes.first { $0.path == path }
    }

    /// Returns the class to which a name in a model refers: the name is the class's path, its Objective-C
    /// name, or the last name of a nested class.
    package func managedClass(named name: String) -> ManagedClass? {
        classes.first { $0.name == name } ?? classes.first { $0.runtimeName == name }
            ?? classes.first { $0.path.last == name }
    }

    /// Returns the property to which a part of an accessor's name refers: a property of the class or of an
    /// ancestor, or else the name with a small first letter.
    package func property(named capitalized: String, of path: [String]) -> String {
        for owner in lineage(of: path) {
            let names = owner.keyPathNames.lazy.map(\.property)
            if let name = names.first(where: { NameEscaping.capitalized($0) == capitalized }) { return name }
        }
        return AccessorKey.decapitalized(capitalized)
    }

    /// Returns the class and its ancestors within the module.
    package func lineage(of path: [String]) -> [ManagedClass] {
        var lineage: [ManagedClass] = []
        var current = managedClass(at: path)
        while let owner = current, !lineage.contains(where: { $0.path == owner.path }) {
            lineage.append(owner)
            current = owner.superclass.flatMap(managedClass(at:))
        }
        return lineage
    }

    /// Returns the number of the module's classes that a class inherits from. The class need not be managed.
    package func depth(of path: [String]) -> Int {
        var lineage = [path]
        while let last = lineage.last,
            let superclass = managedClass(at: last)?.superclass
                ?? index.declaration(at: last, from: "").flatMap({ superclass(of: $0, at: last) }),
            index.declaration(at: superclass, from: "") != nil, !lineage.contains(superclass)
        {
            lineage.append(superclass)
        }
        return lineage.count - 1
    }

    /// Returns the key of the property that a primitive accessor of this name reads and writes; nil if the
    /// class has a property of exactly this name.
    package func primitiveKey(of name: String, in path: [String]) -> String? {
        let isProperty = classes.contains { managed in
            managed.path == path && managed.keyPathNames.contains { $0.property == name }
        }
        return isProperty ? nil : PrimitiveName.key(of: name)
    }

    package func declaresConformance(of path: [String], to name: String) -> Bool {
        index.files.flatMap(\.types).contains { declaration in
            index.unqualified(declaration.path) == path && declaration.inherited.contains(.name(name))
        }
    }

    /// Returns the access modifier for a generated declaration that refers to a class: `public`, or the
    /// class's own access level if that is lower.
    package func modifier(mentioning className: String) -> String {
        let path = className.split(separator: ".").map(String.init)
        return switch managedClass(at: path)?.access ?? .public {
        case .public, .open: "public "
        case .package: "package "
        case .internal, .fileprivate, .private: ""
        }
    }

    /// Returns the effective access level of a class, limited by the levels of the declarations around it.
    package func access(of path: [String], from file: String) -> AccessLevel {
        (1...max(path.count, 1)).map { length in
            index.declaration(at: Array(path.prefix(length)), from: file)?.access ?? .public
        }.min() ?? .internal
    }

    // MARK: Building

    private mutating func addHandWritten(namedBy documents: [ModelDocument]) {
        let owners = index.files.flatMap { $0.properties.map(\.context) + $0.methods.map(\.context) }
        var managed = Set(owners.map { index.unqualified($0.ownerPath) })
        for document in documents {
            for entity in document.entities {
                if let owner = EntityClass(of: entity, module: index.name) { managed.insert(owner.path) }
            }
        }
        managed.insert(["NSManagedObject"])
        let declarations = index.classes.map { (path: index.unqualified($0.path), declaration: $0) }
        var grew = true
        while grew {
            grew = false
            for (path, declaration) in declarations where !managed.contains(path) {
                let superclass = superclass(of: declaration, at: path)
                if let superclass, managed.contains(superclass) {
                    managed.insert(path)
                    grew = true
                }
            }
        }
        for (path, declaration) in declarations where managed.contains(path) {
            guard !classes.contains(where: { $0.path == path }) else { continue }
            classes.append(
                ManagedClass(
                    path: path,
                    superclass: superclass(of: declaration, at: path),
                    access: access(of: path, from: declaration.position.file),
                    isGeneric: index.isGeneric(path, from: declaration.position.file),
                    isIsolated: declaration.isMainActor,
                    runtimeName: declaration.runtimeName,
                    conditions: declaration.conditions))
        }
    }

    private mutating func addGenerated(_ document: ModelDocument) {
        for entity in document.entities where entity.codeGeneration != .manual {
            guard let owner = EntityClass(of: entity, module: index.name) else { continue }
            let parent = entity.parentName.map { document.className(ofEntity: $0, module: index.name) }
            if entity.codeGeneration == .class, managedClass(at: owner.path) == nil {
                classes.append(
                    ManagedClass(
                        path: owner.path,
                        superclass: parent.map { $0.split(separator: ".").map(String.init) },
                        access: .public, isGeneric: false, isIsolated: false, runtimeName: nil, conditions: []
                    ))
            }
            let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
            add(names.map { .init(property: $0, conditions: []) }, to: owner.path)
        }
    }

    /// Limits each generated class to the lowest access level among the classes that it inherits from.
    private mutating func limitAccessOfGenerated() {
        let written = Set(index.classes.map { index.unqualified($0.path) })
        for position in classes.indices where !written.contains(classes[position].path) {
            let ancestors = lineage(of: classes[position].path)
            classes[position].access = ancestors.map(\.access).min() ?? .public
        }
    }

    private mutating func addKeyPaths() {
        for property in index.files.flatMap(\.properties) {
            let context = property.context
            guard context.access > .fileprivate, context.availability.isEmpty, !context.hasConstraints,
                !context.isMainActor, PrimitiveName.key(of: property.name) == nil
            else { continue }
            add(
                [.init(property: property.name, conditions: context.conditions)],
                to: index.unqualified(context.ownerPath))
        }
    }

    private mutating func addValidators() {
        for validator in index.files.flatMap(\.validators) where validator.context.access > .fileprivate {
            let path = index.unqualified(validator.context.ownerPath)
            guard !validator.capitalizedKey.isEmpty,
                let position = classes.firstIndex(where: { $0.path == path })
            else { continue }
            classes[position].validators.append(validator)
        }
    }

    private mutating func add(_ names: [ManagedClass.KeyPathName], to path: [String]) {
        guard let position = classes.firstIndex(where: { $0.path == path }) else { return }
        for name in names
        where !classes[position].keyPathNames.contains(where: { $0.property == name.property }) {
            classes[position].keyPathNames.append(name)
        }
    }

    private func superclass(of declaration: TypeDeclaration, at path: [String]) -> [String]? {
        guard case .named(let components)? = declaration.inherited.first else { return nil }
        let written = index.unqualified(components.map(\.name))
        let last = written.last ?? ""
        if written == ["CoreData", "NSManagedObject"] { return [last] }
        // The search goes from the innermost enclosing type outwards.
        for length in stride(from: path.count - 1, through: 0, by: -1) {
            let candidate = path.prefix(length) + written
            if index.declaration(at: Array(candidate), from: declaration.position.file) != nil {
                return Array(candidate)
            }
        }
        return written
    }
}
