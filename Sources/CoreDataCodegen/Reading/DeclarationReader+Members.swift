/// One variable of a variable declaration, with its type and accessors.
private struct WrittenVariable {
    var name: String
    var token: Token
    var type: TypeExpression?
    /// Whether the variable can be set. A variable without accessors can be.
    var isSettable = true
    /// Whether the getter is `async` or `throws`.
    var hasEffects = false
}

/// A parameter of a function.
struct WrittenParameter {
    var label: String?
    var type: WrittenType
    var isVariadic: Bool
}

extension DeclarationReader {
    // MARK: Variables

    mutating func readVariables(_ head: Head, isVariable: Bool) throws(UnreadableSource) {
        var variables: [WrittenVariable?] = []
        repeat { variables.append(try readVariable()) } while cursor.take(",")
        let isManaged = head.attributes.has("NSManaged")
        // In `var a, b: String` only the last name has the annotation.
        var following: TypeExpression?
        var found: [ManagedPropertyDeclaration] = []
        for variable in variables.reversed() {
            guard let variable else { continue }
            if let type = variable.type { following = type }
            if !variable.name.isEmpty { note(variable, following, head, isVariable: isVariable) }
            guard isManaged, !variable.name.isEmpty else { continue }
            found.append(
                ManagedPropertyDeclaration(
                    name: variable.name, type: following, context: context(of: head, at: variable.token)))
        }
        file.properties.append(contentsOf: found.reversed())
    }

    private mutating func note(
        _ variable: WrittenVariable, _ type: TypeExpression?, _ head: Head, isVariable: Bool
    ) {
        guard let scope = scopes.last else { return }
        let runtimeName = head.attributes.argument(of: "objc")
        file.members.append(
            MemberDeclaration(
                ownerPath: scope.path, name: variable.name, runtimeName: runtimeName, type: type))
        guard ExposedMember.isPlain(head), !variable.hasEffects else { return }
        let isSettable = isVariable && variable.isSettable && !head.modifiers.hidesSetter
        file.exposed.append(
            ExposedMember(
                name: variable.name, kind: .property(isSettable: isSettable), runtimeName: runtimeName,
                isMarked: scope.exposesMembers || head.attributes.has("objc"),
                context: context(of: head, at: variable.token)))
    }

    /// Reads a name with its type, value and accessors. For patterns without a name of their own (`_`, `(a,
    /// b)`) the name is empty.
    private mutating func readVariable() throws(UnreadableSource) -> WrittenVariable {
        let token = cursor.peek()
        var variable = WrittenVariable(name: "", token: token)
        if cursor.is("(") {
            try cursor.skipBrackets()
        } else {
            let (name, _) = try cursor.requireName()
            if name != "_" || token.kind == .identifier(isQuoted: true) { variable.name = name }
        }
        if cursor.take(":") { variable.type = try cursor.readType().expression }
        if cursor.take("=") { try skipExpression(endsAtComma: true) }
        if cursor.is("{") { try readAccessors(of: &variable) }
        return variable
    }

    private mutating func readAccessors(of variable: inout WrittenVariable) throws(UnreadableSource) {
        var rest = cursor
        try cursor.skipBrackets()
        rest.advance()
        var kinds: Set<String> = []
        while !rest.is("}") {
            guard let accessor = try Self.readAccessor(&rest) else {
                // The braces contain statements, which are the getter itself.
                variable.isSettable = false
                return
            }
            kinds.insert(accessor.kind)
            variable.hasEffects = variable.hasEffects || accessor.hasEffects
        }
        if kinds.isEmpty { variable.isSettable = false }
        if kinds.contains("get"), !kinds.contains("set") { variable.isSettable = false }
    }

    private static let accessorKinds: Set<String> = [
        "get", "set", "willSet", "didSet", "_read", "_modify", "init", "unsafeAddress",
        "unsafeMutableAddress",
    ]

    private static let accessorModifiers = TokenCursor.accessLevels.union([
        "mutating", "nonmutating", "nonisolated", "borrowing", "consuming", "__consuming",
    ])

    /// Reads the beginning of an accessor; returns nil for a statement.
    private static func readAccessor(
        _ cursor: inout TokenCursor
    ) throws(UnreadableSource) -> (kind: String, hasEffects: Bool)? {
        if cursor.is("#if") { return nil }
        _ = try cursor.readAttributes()
        while cursor.isAny(of: accessorModifiers), cursor.isAny(of: accessorKinds, at: 1) { cursor.advance() }
        guard cursor.isAny(of: accessorKinds) else { return nil }
        let kind = cursor.text(of: cursor.peek())
        // `get { … }`, `get async throws`, `set(new) { … }`, or the next accessor of a protocol's property.
        let isAccessor =
            cursor.is("{", at: 1) || cursor.is("}", at: 1) || cursor.is("(", at: 1) || cursor.is(";", at: 1)
            || cursor.isAny(of: accessorKinds, at: 1)
            || cursor.isAny(of: ["async", "throws", "mutating", "nonmutating", "nonisolated"], at: 1)
            || cursor.is("@", at: 1)
        guard isAccessor else { return nil }
        cursor.advance()
        if cursor.is("(") { try cursor.skipBrackets() }
        var hasEffects = false
        while cursor.isAny(of: ["async", "throws"]) {
            hasEffects = true
            cursor.advance()
            if cursor.is("(") { try cursor.skipBrackets() }
        }
        if cursor.is("{") { try cursor.skipBrackets() }
        _ = cursor.take(";")
        return (kind, hasEffects)
    }

    // MARK: Functions

    mutating func readFunction(_ head: Head) throws(UnreadableSource) {
        let token = cursor.peek()
        let isOperator = cursor.name() == nil
        let name = try readFunctionName()
        let isGeneric = cursor.is("<")
        _ = try readGenericParameters()
        let parameters = try readParameters()
        let effects = try readEffects()
        var result: WrittenType?
        if cursor.isOperator("->") {
            cursor.advance(2)
            result = try cursor.readType()
        }
        try skipWhereClause()
        if cursor.is("{") { try cursor.skipBrackets() }
        let resultText = result.map { cursor.text(in: $0.range) }
        let isVoid = resultText == nil || resultText == "Void" || resultText == "()"
        guard head.attributes.has("NSManaged") else {
            noteFunction(
                head, name, token, parameters, isPlain: !isGeneric && effects == nil && !isOperator,
                isVoid: isVoid)
            return
        }
        file.methods.append(
            ManagedMethodDeclaration(
                name: name,
                parameters: parameters.map {
                    .init(
                        label: $0.label, type: $0.isVariadic ? .unsupported("variadic") : $0.type.expression)
                },
                result: isVoid ? nil : result?.expression, selector: head.attributes.argument(of: "objc"),
                unsupportedEffect: isGeneric ? "generic" : effects, context: context(of: head, at: token)))
    }

    private mutating func noteFunction(
        _ head: Head, _ name: String, _ token: Token, _ parameters: [WrittenParameter], isPlain: Bool,
        isVoid: Bool
    ) {
        guard let scope = scopes.last else { return }
        if name.hasPrefix("validate"), parameters.count == 1, parameters[0].label == nil,
            cursor.text(in: parameters[0].type.range).hasPrefix(
                "AutoreleasingUnsafeMutablePointer<AnyObject?>")
        {
            file.validators.append(ValidatorDeclaration(name: name, context: context(of: head, at: token)))
        }
        if name == "fetchRequest", head.modifiers.isOfType { file.requestOwners.append(scope.path) }
        guard isPlain, ExposedMember.isPlain(head) else { return }
        var exposed: [ExposedMember.Parameter] = []
        for parameter in parameters {
            guard !parameter.isVariadic, let type = ExposedMember.argumentType(parameter.type, cursor) else {
                return
            }
            exposed.append(ExposedMember.Parameter(label: parameter.label, type: type))
        }
        file.exposed.append(
            ExposedMember(
                name: name, kind: .method(exposed, returns: !isVoid),
                runtimeName: head.attributes.argument(of: "objc"),
                isMarked: scope.exposesMembers || head.attributes.has("objc"),
                context: context(of: head, at: token)))
    }

    /// Reads a name, or the characters of an operator.
    private mutating func readFunctionName() throws(UnreadableSource) -> String {
        if let name = cursor.name() {
            cursor.advance()
            return name
        }
        let start = cursor.peek().range.lowerBound
        guard cursor.peek().kind == .operator || cursor.is(".") else {
            throw cursor.unexpected("a name is missing")
        }
        // The last `<` before a name begins generic parameters: `func ~<Value>(…)`.
        repeat {
            cursor.advance()
        } while (cursor.peek().kind == .operator || cursor.is("."))
            && !cursor.peek().hasSpaceBefore && !(cursor.is("<") && cursor.name(at: 1) != nil)
        return cursor.text(in: start..<cursor.last.range.upperBound)
    }

    mutating func readParameters() throws(UnreadableSource) -> [WrittenParameter] {
        try cursor.require("(")
        var parameters: [WrittenParameter] = []
        while !cursor.is(")") {
            parameters.append(try readParameter())
            guard cursor.take(",") else { break }
        }
        try cursor.require(")")
        return parameters
    }

    private mutating func readParameter() throws(UnreadableSource) -> WrittenParameter {
        _ = try cursor.readAttributes()
        // `_ name:`, `label name:` or `name:`, with any modifiers before it.
        while cursor.name(at: 1) != nil, cursor.name(at: 2) != nil { cursor.advance() }
        let (label, token) = try cursor.requireName()
        if cursor.name() != nil { cursor.advance() }
        try cursor.require(":")
        let type = try cursor.readType()
        let isVariadic = cursor.isOperator("...")
        if isVariadic { cursor.advance(3) }
        if cursor.take("=") { try skipExpression(endsAtComma: true) }
        let isUnlabelled = label == "_" && token.kind == .identifier(isQuoted: false)
        return WrittenParameter(label: isUnlabelled ? nil : label, type: type, isVariadic: isVariadic)
    }

    /// Reads effects such as `async throws` and returns their text; nil if there are none.
    private mutating func readEffects() throws(UnreadableSource) -> String? {
        let start = cursor.peek().range.lowerBound
        var hasEffects = false
        while cursor.isAny(of: ["async", "reasync", "throws", "rethrows"]) {
            hasEffects = true
            cursor.advance()
            if cursor.is("(") { try cursor.skipBrackets() }
        }
        return hasEffects ? cursor.text(in: start..<cursor.last.range.upperBound) : nil
    }

    // MARK: Initializers

    mutating func readInitializer(_ head: Head) throws(UnreadableSource) {
        let isFailable = cursor.is("?") || cursor.is("!")
        if isFailable { cursor.advance() }
        _ = try readGenericParameters()
        let parameters = try readParameters()
        _ = try readEffects()
        try skipWhereClause()
        if cursor.is("{") { try cursor.skipBrackets() }
        guard let scope = scopes.last, scope.conditionalDepth == conditionalDepth else { return }
        scopes[scopes.count - 1].initializers.note(
            isConvenience: head.modifiers.has("convenience"),
            isPlain: parameters.isEmpty && !isFailable
                && head.modifiers.accessLevel ?? .internal > .fileprivate)
    }

    // MARK: Context

    private func context(of head: Head, at token: Token) -> ManagedMemberContext {
        let scope = scopes.last
        return ManagedMemberContext(
            ownerPath: scope?.path ?? [], isInExtension: scope?.isInExtension ?? false,
            access: access(of: head),
            availability: head.attributes.all(named: "available").map(\.text),
            isMainActor: head.attributes.has("MainActor") || scope?.isMainActor ?? false,
            isNonisolated: head.modifiers.has("nonisolated"), hasConstraints: scope?.hasConstraints ?? false,
            conditions: conditions, position: cursor.position(of: token))
    }
}

extension ExposedMember {
    fileprivate static func isPlain(_ head: DeclarationReader.Head) -> Bool {
        !head.modifiers.isOfType && head.attributes.areAll(in: plainAttributes)
    }

    /// Returns the text of an argument's type; nil for a type that a message cannot carry.
    fileprivate static func argumentType(_ type: WrittenType, _ cursor: TokenCursor) -> String? {
        switch type.form {
        case .plain: cursor.text(in: type.range)
        case .implicitlyUnwrapped(let wrapped): wrapped + "?"
        case .attributed, .function, .opaque: nil
        }
    }
}
