/// The initializers that a class itself declares, as far as they decide whether it has an initializer without
/// arguments.
struct WrittenInitializers {
    private var hasDesignated = false
    private var hasPlain = false

    mutating func note(isConvenience: Bool, isPlain: Bool) {
        hasDesignated = hasDesignated || !isConvenience
        hasPlain = hasPlain || isPlain
    }

    /// Whether the class has an initializer without arguments if its superclass has one: it declares one
    /// itself, or declares no designated initializer and so inherits it.
    var leavePlainInitializer: Bool { hasPlain || !hasDesignated }
}

extension DeclarationReader {
    mutating func readType(
        _ head: Head, _ kind: NominalType.Kind, isClass: Bool = false
    ) throws(UnreadableSource) {
        let (name, token) = try cursor.requireName()
        let parameters = try readGenericParameters()
        let inherited = try readInheritance()
        try skipWhereClause()
        let path = (scopes.last?.path ?? []) + [name]
        let isMainActor = head.attributes.has("MainActor")
        let position = file.types.count
        file.types.append(
            TypeDeclaration(
                kind: .nominal(kind), path: path, isInExtension: scopes.first?.isInExtension ?? false,
                access: access(of: head),
                // The parameters of a protocol are names of associated types.
                genericParameters: kind == .protocol ? [] : parameters, inherited: inherited,
                runtimeName: head.attributes.argument(of: "objc"), isMainActor: isMainActor,
                isNonisolated: head.modifiers.has("nonisolated"),
                exposesMembers: isClass && head.attributes.has("objcMembers"), conditions: conditions,
                position: cursor.position(of: token)))
        // A macro may add a `fetchRequest()` to the class.
        if isClass, head.attributes.mayHaveMacros { file.requestOwners.append(path) }
        let scope = try readBody(
            Scope(
                path: path, isInExtension: scopes.first?.isInExtension ?? false, defaultAccess: .internal,
                hasConstraints: scopes.last?.hasConstraints ?? false, isMainActor: isMainActor,
                conditionalDepth: conditionalDepth))
        if isClass { file.types[position].hasPlainInitializer = scope.initializers.leavePlainInitializer }
    }

    mutating func readExtension(_ head: Head) throws(UnreadableSource) {
        let token = cursor.peek()
        let type = try cursor.readType()
        var path: [String] = []
        if case .named(let components) = type.expression { path = components.map(\.name) }
        let inherited = try readInheritance()
        let hasConstraints = try skipWhereClause()
        let access = head.modifiers.accessLevel
        let isMainActor = head.attributes.has("MainActor")
        file.types.append(
            TypeDeclaration(
                kind: .extension, path: path.isEmpty ? [cursor.text(in: type.range)] : path,
                isInExtension: true,
                access: access ?? .internal, genericParameters: [], inherited: inherited, runtimeName: nil,
                isMainActor: isMainActor, conditions: conditions, position: cursor.position(of: token)))
        _ = try readBody(
            Scope(
                path: path, isInExtension: true,
                // Members of a private extension are reachable in the whole file.
                defaultAccess: access == .private ? .fileprivate : access ?? .internal,
                hasConstraints: hasConstraints, isMainActor: isMainActor,
                exposesMembers: head.attributes.has("objc"), conditionalDepth: conditionalDepth))
    }

    private mutating func readBody(_ scope: Scope) throws(UnreadableSource) -> Scope {
        let open = cursor.peek()
        try cursor.require("{")
        try cursor.enter()
        defer { cursor.leave() }
        scopes.append(scope)
        try readItems()
        guard cursor.take("}") else { throw cursor.unexpected("'{' is never closed", at: open) }
        return scopes.removeLast()
    }

    private mutating func readInheritance() throws(UnreadableSource) -> [TypeExpression] {
        guard cursor.take(":") else { return [] }
        var types: [TypeExpression] = []
        repeat {
            // `nonisolated Hashable`
            if cursor.is("nonisolated"), cursor.name(at: 1) != nil { cursor.advance() }
            types.append(try cursor.readType().expression)
        } while cursor.take(",")
        return types
    }
}
