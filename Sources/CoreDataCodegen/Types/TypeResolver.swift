/// The look-up of the names in a type expression, in the compiler's order: in the enclosing types from the
/// innermost, in the types that these inherit from, in the module, its dependencies, and then in Swift and
/// Foundation.
package struct TypeResolver {
    package struct Failure: Error, Hashable {
        package var message: String

        package init(_ message: String) { self.message = message }
    }

    /// The place where a name is written.
    package struct Scope {
        var module: ModuleIndex
        var path: [String]
        var file: String
    }

    /// The declaration or type that a name stands for.
    private enum Meaning {
        case declared(TypeDeclaration, in: ModuleIndex, path: [String])
        case known(NominalType)
        case type(SwiftType)
    }

    /// The number of aliases after which a chain of aliases is treated as a cycle.
    private static let maximumDepth = 40

    private let library: ModuleLibrary

    package init(_ library: ModuleLibrary) {
        self.library = library
    }

    package func resolve(_ expression: TypeExpression, in path: [String], of file: String) throws -> SwiftType
    {
        try resolve(expression, in: path, of: file, module: library.target)
    }

    /// Resolves an expression that is written inside a type of a module.
    package func resolve(
        _ expression: TypeExpression, in path: [String], of file: String, module: ModuleIndex
    ) throws -> SwiftType {
        try resolve(expression, Scope(module: module, path: path, file: file), 0)
    }

    /// Returns the nominal type at a path of the target, or of another module.
    package func nominal(
        at path: [String], from file: String, module: ModuleIndex? = nil
    ) throws -> NominalType {
        let scope = Scope(module: module ?? library.target, path: [], file: file)
        guard case .nominal(let nominal, _) = try resolve(.named(path.map { .init($0) }), scope, 0) else {
            throw Failure("'\(path.joined(separator: "."))' is not a class")
        }
        return nominal
    }

    private func resolve(_ expression: TypeExpression, _ scope: Scope, _ depth: Int) throws -> SwiftType {
        guard depth < Self.maximumDepth else { throw Failure("the type refers to itself") }
        func inner(_ part: TypeExpression) throws -> SwiftType { try resolve(part, scope, depth + 1) }
        switch expression {
        case .optional(let wrapped): return .optional(try inner(wrapped))
        case .array(let element): return .array(try inner(element))
        case .dictionary(let key, let value): return .dictionary(try inner(key), try inner(value))
        case .composition(let parts): return try composition(parts.map(inner))
        case .unsupported(let what): throw Failure("its type is \(what)")
        case .named(let components): return try named(components, scope, depth)
        }
    }

    // MARK: Names

    private func named(
        _ components: [TypeExpression.Component], _ scope: Scope, _ depth: Int
    ) throws -> SwiftType {
        var rest = components[...]
        var meaning = try first(&rest, scope)
        var arguments = [try rest.first.map { try self.arguments(of: $0, scope, depth) } ?? []]
        rest = rest.dropFirst()
        meaning = try unaliased(meaning, depth)
        while let component = rest.popFirst() {
            meaning = try unaliased(try member(component.name, of: meaning, scope), depth)
            arguments.append(try self.arguments(of: component, scope, depth))
        }
        return try type(of: meaning, arguments: arguments)
    }

    private func arguments(
        of component: TypeExpression.Component, _ scope: Scope, _ depth: Int
    ) throws -> [SwiftType] {
        try component.arguments.map { try resolve($0, scope, depth + 1) }
    }

    /// Returns the meaning of the leftmost name. If that is a module, it is removed from the components.
    private func first(
        _ components: inout ArraySlice<TypeExpression.Component>, _ scope: Scope
    ) throws -> Meaning {
        guard let name = components.first?.name else { throw Failure("its type is missing") }
        if let meaning = try lexical(name, scope) { return meaning }
        if components.count > 1, let meaning = try qualified(components.dropFirst(), module: name, scope) {
            components = components.dropFirst()
            return meaning
        }
        if scope.module.name != library.target.name, let index = try library.dependency(scope.module.name),
            let found = index.declaration(at: [name], from: "")
        {
            return .declared(found, in: index, path: [name])
        }
        if let index = try dependency(declaring: name, scope),
            let found = index.declaration(at: [name], from: "")
        {
            return .declared(found, in: index, path: [name])
        }
        return try external(name, scope)
    }

    /// Returns the dependency that declares a name. Nearly all names are declared by Swift and Foundation; for
    /// these it returns nil without reading a dependency.
    private func dependency(declaring name: String, _ scope: Scope) throws -> ModuleIndex? {
        guard KnownTypes.nominal([name]) == nil, KnownTypes.alias(name) == nil,
            !["Any", "AnyObject"].contains(name)
        else { return nil }
        return try library.dependency(declaring: name, seenFrom: scope.file)
    }

    private func external(_ name: String, _ scope: Scope) throws -> Meaning {
        if name == "Any" { return .type(.any) }
        if name == "AnyObject" { return .type(.anyObject) }
        if let alias = KnownTypes.alias(name) {
            return try unaliased(
                .type(resolve(alias, Scope(module: scope.module, path: [], file: scope.file), 1)), 1)
        }
        guard let nominal = KnownTypes.nominal([name]) else {
            throw Failure("'\(name)' is declared neither in this module nor in one that the generator knows")
        }
        return .known(nominal)
    }

    /// Looks a name up in the enclosing declarations from the innermost, in the types they inherit from, and
    /// at the top level.
    private func lexical(_ name: String, _ scope: Scope) throws -> Meaning? {
        let module = scope.module
        for length in stride(from: scope.path.count, through: 0, by: -1) {
            let outer = Array(scope.path.prefix(length))
            if let parameter = genericParameter(name, at: outer, scope) { return .type(parameter) }
            if let found = inheritedDeclaration(name, of: outer, module, from: scope.file) { return found }
        }
        return nil
    }

    private func inheritedDeclaration(
        _ name: String, of path: [String], _ module: ModuleIndex, from file: String
    ) -> Meaning? {
        var current = path
        for _ in 0..<Self.maximumDepth {
            let full = current + [name]
            if let found = module.declaration(at: full, from: file) {
                return .declared(found, in: module, path: full)
            }
            guard !current.isEmpty, let outer = module.declaration(at: current, from: file),
                case .named(let superclass)? = outer.inherited.first
            else { return nil }
            let next = superclass.map(\.name)
            guard next != current, module.declaration(at: next, from: file) != nil else { return nil }
            current = next
        }
        return nil
    }

    private func genericParameter(_ name: String, at path: [String], _ scope: Scope) -> SwiftType? {
        guard !path.isEmpty,
            let index = scope.module.declaration(at: path, from: scope.file)?.genericParameters.firstIndex(
                of: name)
        else { return nil }
        let depth = (1..<path.count).filter { length in
            let outer = scope.module.declaration(at: Array(path.prefix(length)), from: scope.file)
            return outer?.genericParameters.isEmpty == false
        }.count
        return .parameter(name: name, depth: depth, index: index)
    }

    private func qualified(
        _ components: ArraySlice<TypeExpression.Component>, module: String, _ scope: Scope
    ) throws -> Meaning? {
        guard let name = components.first?.name else { return nil }
        let index = module == library.target.name ? library.target : try library.dependency(module)
        if let found = index?.declaration(at: [name], from: scope.file), let index {
            return .declared(found, in: index, path: [name])
        }
        guard ["Swift", "Foundation", "CoreData", "FoundationEssentials"].contains(module) else { return nil }
        return try external(name, scope)
    }

    private func member(_ name: String, of meaning: Meaning, _ scope: Scope) throws -> Meaning {
        switch meaning {
        case .declared(_, let module, let path):
            for index in [library.target, module] {
                if let found = inheritedDeclaration(name, of: path, index, from: scope.file) { return found }
            }
            throw Failure("'\(path.joined(separator: "."))' has no member type '\(name)'")
        case .known(let nominal):
            let path = nominal.path + [name]
            if let found = library.target.declaration(at: path, from: scope.file) {
                return .declared(found, in: library.target, path: path)
            }
            if let nested = KnownTypes.nominal(path) { return .known(nested) }
            throw Failure("the generator does not know '\(path.joined(separator: "."))'")
        case .type:
            throw Failure("'\(name)' is a member of a type that has none")
        }
    }

    private func unaliased(_ meaning: Meaning, _ depth: Int) throws -> Meaning {
        guard case .declared(let declaration, let module, let path) = meaning,
            case .alias(let target) = declaration.kind
        else { return meaning }
        guard declaration.genericParameters.isEmpty else {
            throw Failure("'\(declaration.name)' is a generic type alias")
        }
        let scope = Scope(module: module, path: Array(path.dropLast()), file: declaration.position.file)
        return .type(try resolve(target, scope, depth + 1))
    }

    // MARK: Types

    private func type(of meaning: Meaning, arguments: [[SwiftType]]) throws -> SwiftType {
        let nominal: NominalType
        switch meaning {
        case .type(let type): return type
        case .known(let known): nominal = known
        case .declared(let declaration, let module, let path):
            nominal = try self.nominal(path, module, from: declaration.position.file)
        }
        if nominal.steps[nominal.steps.count - 1].kind == .protocol {
            return try composition([.nominal(nominal, arguments: [])])
        }
        guard arguments.contains(where: { !$0.isEmpty }) else { return .nominal(nominal, arguments: []) }
        return .nominal(nominal, arguments: arguments)
    }

    private func nominal(_ path: [String], _ module: ModuleIndex, from file: String) throws -> NominalType {
        var nominal: NominalType?
        var isInPrivate = false
        for length in 1...path.count {
            let prefix = Array(path.prefix(length))
            guard let declaration = module.declaration(at: prefix, from: file),
                case .nominal(let kind) = declaration.kind
            else {
                nominal = try extended(prefix, from: file)
                continue
            }
            var step = NominalType.Step(declaration.name, kind)
            if declaration.access <= .fileprivate, !isInPrivate {
                isInPrivate = true
                step.discriminator = FileDiscriminator.discriminator(
                    module: module.name, file: declaration.position.file)
            }
            if let outer = nominal, outer.module != module.name { step.extendingModule = module.name }
            nominal = NominalType(
                module: nominal?.module ?? module.name, steps: (nominal?.steps ?? []) + [step])
        }
        guard let nominal else { throw Failure("its type is missing") }
        return nominal
    }

    /// Returns the type of another module that an extension adds to.
    private func extended(_ path: [String], from file: String) throws -> NominalType {
        if let known = KnownTypes.nominal(path) { return known }
        guard let index = try library.dependency(declaring: path[0], seenFrom: file),
            index.declaration(at: path, from: "") != nil
        else { throw Failure("'\(path.joined(separator: "."))' cannot be found") }
        return try nominal(path, index, from: "")
    }

    /// Returns a composition with its protocols in the order that symbols have: by module and name, as the
    /// compiler sorts them.
    private func composition(_ parts: [SwiftType]) throws -> SwiftType {
        var protocols: Set<NominalType> = []
        var superclass: SwiftType?
        var isClassBound = false
        for part in parts {
            switch part {
            case .existential(let others, let inner, let bound):
                protocols.formUnion(others)
                superclass = superclass ?? inner
                isClassBound = isClassBound || bound
            case .nominal(let nominal, _) where nominal.steps.last?.kind == .protocol:
                protocols.insert(nominal)
            case .nominal: superclass = part
            case .parameter: throw Failure("its type is a composition with a generic parameter")
            }
        }
        let sorted = protocols.sorted { ($0.module, $0.name) < ($1.module, $1.name) }
        if sorted.isEmpty, let superclass { return superclass }
        return .existential(protocols: sorted, superclass: superclass, isClassBound: isClassBound)
    }
}
