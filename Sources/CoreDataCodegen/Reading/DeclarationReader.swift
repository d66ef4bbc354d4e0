/// The reader of the declarations of a hand-written source file: classes, managed members, and every type
/// that these may refer to. It skips function bodies, since names declared there are not visible outside.
///
/// The reader knows only the part of Swift that it needs for declarations. Anything else is an error; it
/// never guesses.
package struct DeclarationReader {
    /// An enclosing declaration.
    struct Scope {
        var path: [String]
        var isInExtension: Bool
        /// The access level of members that do not state one.
        var defaultAccess: AccessLevel
        var hasConstraints: Bool
        var isMainActor: Bool
        /// Whether the members are exposed by `@objc extension`.
        var exposesMembers = false
        /// The number of `#if` around the members, not counting the members' own.
        var conditionalDepth: Int
        var initializers = WrittenInitializers()
    }

    var cursor: TokenCursor
    var file: ScannedFile
    var scopes: [Scope] = []
    /// The `#if` conditions with unknown values around the next declaration.
    var conditions: [String] = []
    /// The number of `#if` around the next declaration, with known and unknown conditions.
    var conditionalDepth = 0

    package static func read(_ source: SourceText) throws(UnreadableSource) -> ScannedFile {
        var reader = DeclarationReader(cursor: try TokenCursor(source), file: ScannedFile(path: source.path))
        try reader.readItems()
        guard reader.cursor.isAtEnd else {
            throw reader.cursor.unexpected(
                "'\(reader.cursor.text(of: reader.cursor.peek()))' is out of place")
        }
        return reader.file
    }

    private init(cursor: TokenCursor, file: ScannedFile) {
        self.cursor = cursor
        self.file = file
    }

    // MARK: Lists

    /// Reads declarations up to the end of the enclosing body or clause.
    mutating func readItems() throws(UnreadableSource) {
        while !cursor.isAtEnd, !cursor.is("}"), !cursor.endsClause {
            try readItem()
        }
    }

    private mutating func readItem() throws(UnreadableSource) {
        if cursor.take(";") { return }
        let start = cursor.peek().range.lowerBound
        let attributes = try cursor.readAttributes()
        if attributes.isEmpty, cursor.is("#if") { return try readConditional() }
        guard cursor.beginsDeclaration() else {
            if !attributes.isEmpty || !scopes.isEmpty, cursor.peek().kind != .directive {
                throw cursor.unexpected("a declaration is missing")
            }
            if cursor.is(")") || cursor.is("]") {
                throw cursor.unexpected("'\(cursor.text(of: cursor.peek()))' closes nothing")
            }
            // A statement, or a macro whose declarations are unknown here.
            return try skipExpression()
        }
        let end = cursor.peek().range.lowerBound
        let modifiers = cursor.readModifiers()
        try readDeclaration(Head(attributes: attributes, attributeRange: start..<end, modifiers: modifiers))
    }

    private mutating func readConditional() throws(UnreadableSource) {
        try cursor.enter()
        conditionalDepth += 1
        defer {
            cursor.leave()
            conditionalDepth -= 1
        }
        var clauses: [(condition: String?, start: Int)] = []
        while !cursor.is("#endif") {
            clauses.append((cursor.readCondition(), cursor.index))
            try skipClause()
        }
        let end = cursor.index
        for branch in ConditionEvaluator().branches(of: clauses.map(\.condition)) {
            cursor.go(to: clauses[branch.index].start)
            conditions += branch.conditions
            try readItems()
            conditions.removeLast(branch.conditions.count)
            guard cursor.endsClause else {
                throw cursor.unexpected("'#endif' is missing")
            }
        }
        cursor.go(to: end)
        cursor.advance()
    }

    /// Skips to the directive that ends a clause of `#if`.
    private mutating func skipClause() throws(UnreadableSource) {
        var depth = 0
        while depth > 0 || !cursor.endsClause {
            if cursor.isAtEnd { throw cursor.unexpected("'#endif' is missing") }
            if cursor.is("#if") { depth += 1 }
            if cursor.is("#endif") { depth -= 1 }
            cursor.advance()
        }
    }

    // MARK: Declarations

    /// The attributes and modifiers before the keyword of a declaration.
    struct Head {
        var attributes: WrittenAttributes
        /// The range of the attributes, including the space after them.
        var attributeRange: Range<Int>
        var modifiers: WrittenModifiers
    }

    private mutating func readDeclaration(_ head: Head) throws(UnreadableSource) {
        let keyword = cursor.text(of: cursor.peek())
        let start = cursor.peek().range.lowerBound
        cursor.advance()
        switch keyword {
        case "class", "actor": try readType(head, .class, isClass: keyword == "class")
        case "struct": try readType(head, .structure)
        case "enum": try readType(head, .enumeration)
        case "protocol": try readType(head, .protocol)
        case "extension": try readExtension(head)
        case "typealias": try readAlias(head)
        case "import": try readImport(head, from: start)
        case "var", "let": try readVariables(head, isVariable: keyword == "var")
        case "func": try readFunction(head)
        case "init": try readInitializer(head)
        case "subscript": try skipSubscript()
        case "deinit": if cursor.is("{") { try cursor.skipBrackets() }
        case "precedencegroup":
            _ = try cursor.requireName()
            try cursor.skipBrackets()
        default: try skipExpression()
        }
    }

    private mutating func readImport(_ head: Head, from start: Int) throws(UnreadableSource) {
        var module: String?
        if cursor.isAny(of: Self.importKinds), cursor.name(at: 1) != nil, !cursor.peek(1).isAtLineStart {
            cursor.advance()
        }
        repeat {
            let (name, _) = try cursor.requireName()
            module = module ?? name
        } while cursor.take(".")
        let text =
            cursor.text(in: head.attributeRange) + cursor.text(in: start..<cursor.last.range.upperBound)
        file.imports.append(ImportDeclaration(module: module ?? "", text: text, conditions: conditions))
    }

    private static let importKinds: Set<String> = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
    ]

    private mutating func readAlias(_ head: Head) throws(UnreadableSource) {
        let (name, token) = try cursor.requireName()
        let parameters = try readGenericParameters()
        try cursor.require("=")
        let type = try cursor.readType()
        try skipWhereClause()
        file.types.append(
            TypeDeclaration(
                kind: .alias(type.expression), path: (scopes.last?.path ?? []) + [name],
                isInExtension: scopes.first?.isInExtension ?? false, access: access(of: head),
                genericParameters: parameters, inherited: [], runtimeName: nil, isMainActor: false,
                conditions: conditions, position: cursor.position(of: token)))
    }

    func access(of head: Head) -> AccessLevel {
        head.modifiers.accessLevel ?? scopes.last?.defaultAccess ?? .internal
    }

    // MARK: Skipping

    /// Reads the names of generic parameters, as in `<Key: Hashable, each Value>`.
    mutating func readGenericParameters() throws(UnreadableSource) -> [String] {
        guard cursor.take("<") else { return [] }
        var names: [String] = []
        while !cursor.is(">") {
            _ = try cursor.readAttributes()
            if cursor.is("each") || cursor.is("let"), cursor.name(at: 1) != nil { cursor.advance() }
            names.append(try cursor.requireName().name)
            if cursor.take(":") { _ = try cursor.readType() }
            guard cursor.take(",") else { break }
        }
        try skipWhereClause()
        try cursor.require(">")
        return names
    }

    /// Skips a `where` clause. Returns whether there was one.
    @discardableResult
    mutating func skipWhereClause() throws(UnreadableSource) -> Bool {
        guard cursor.take("where") else { return false }
        repeat {
            _ = try cursor.readType()
            if cursor.isOperator("==") {
                cursor.advance(2)
                if cursor.peek().kind == .number { cursor.advance() } else { _ = try cursor.readType() }
            } else if cursor.take(":") {
                _ = try cursor.readType()
            }
        } while cursor.take(",")
        return true
    }

    /// Skips an expression or a statement, up to the first token that cannot belong to it.
    ///
    /// - Parameter endsAtComma: Whether a comma outside of brackets ends it.
    mutating func skipExpression(endsAtComma: Bool = false) throws(UnreadableSource) {
        var isFirst = true
        while !cursor.isAtEnd {
            let token = cursor.peek()
            if !isFirst {
                if cursor.is(";") || endsAtComma && cursor.is(",") { return }
                if token.isAtLineStart, endsBefore(token) { return }
            }
            isFirst = false
            switch token.kind {
            case .punctuation where cursor.is("(") || cursor.is("[") || cursor.is("{"):
                try cursor.skipBrackets()
            case .punctuation where cursor.is(")") || cursor.is("]") || cursor.is("}"):
                return
            case .directive where cursor.endsClause: return
            case .directive where cursor.is("#if"):
                // Calls that continue a chain inside `#if`.
                cursor.advance()
                try skipClauses()
            case .identifier:
                cursor.advance()
                try cursor.skipGenericArgumentsOfExpression()
            default:
                cursor.advance()
            }
        }
    }

    private mutating func skipClauses() throws(UnreadableSource) {
        try skipClause()
        while !cursor.is("#endif") {
            cursor.advance()
            try skipClause()
        }
        cursor.advance()
    }

    /// Returns whether a token at the start of a line begins a new statement.
    private func endsBefore(_ token: Token) -> Bool {
        let isContinued =
            cursor.last.kind == .operator && !isPostfix(cursor.last)
            || cursor.last.kind == .punctuation && cursor.text(of: cursor.last) == "."
        if isContinued { return false }
        if token.kind == .directive {
            guard cursor.is("#if") else { return true }
            var rest = cursor
            _ = rest.readCondition()
            return !rest.is(".")
        }
        return cursor.beginsDeclaration() || cursor.isAny(of: Self.statements)
    }

    private static let statements: Set<String> = [
        "if", "guard", "for", "while", "repeat", "switch", "do", "defer", "return", "throw",
    ]

    /// Returns whether an operator belongs to the operand before it, as in `value!` and `value?`. The next
    /// line then continues the expression only if it begins with a dot.
    private func isPostfix(_ token: Token) -> Bool { !token.hasSpaceBefore }

    private mutating func skipSubscript() throws(UnreadableSource) {
        _ = try readGenericParameters()
        try cursor.skipBrackets()
        while cursor.isAny(of: ["async", "throws"]) { cursor.advance() }
        guard cursor.isOperator("->") else { throw cursor.unexpected("the type of the subscript is missing") }
        cursor.advance(2)
        _ = try cursor.readType()
        try skipWhereClause()
        if cursor.is("{") { try cursor.skipBrackets() }
    }
}
