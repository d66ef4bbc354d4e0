/// A type as written, with the details of its form that declarations need.
struct WrittenType {
    enum Form {
        case plain
        /// `Tag!`, with the text of the unwrapped type.
        case implicitlyUnwrapped(String)
        /// A type that begins with an attribute or a specifier: `@escaping`, `inout`.
        case attributed
        case function
        /// An opaque type: `some View`.
        case opaque
    }

    var expression: TypeExpression
    var form = Form.plain
    var range: Range<Int>
}

extension TokenCursor {
    /// Words that may precede a type.
    private static let specifiers: Set<String> = [
        "inout", "borrowing", "consuming", "sending", "isolated", "nonisolated", "__owned", "__shared",
        "_const",
    ]

    private static let attributesWithArguments: Set<String> = [
        "convention", "isolated", "differentiable", "lifetime", "_lifetime", "_opaqueReturnTypeOf",
    ]

    mutating func readType() throws(UnreadableSource) -> WrittenType {
        try enter()
        defer { leave() }
        let start = peek().range.lowerBound
        let hasAttributes = self.is("@")
        var hasSpecifiers = false
        while true {
            if self.is("@") {
                try skipTypeAttribute()
            } else if isAny(of: Self.specifiers), startsType(at: 1) {
                hasSpecifiers = true
                let isNonisolated = self.is("nonisolated")
                advance()
                // nonisolated(nonsending)
                if isNonisolated, self.is("(") { try skipBrackets() }
            } else {
                break
            }
        }
        var type = try readUnattributedType()
        type.range = start..<last.range.upperBound
        if hasSpecifiers { type.expression = .unsupported("'\(text(in: type.range))'") }
        if hasSpecifiers || hasAttributes { type.form = .attributed }
        return type
    }

    private func startsType(at offset: Int) -> Bool {
        let token = peek(offset)
        switch token.kind {
        case .identifier: return true
        case .punctuation:
            return self.is("(", at: offset) || self.is("[", at: offset) || self.is("@", at: offset)
        default: return self.is("~", at: offset)
        }
    }

    private mutating func skipTypeAttribute() throws(UnreadableSource) {
        try require("@")
        let (name, _) = try requireName()
        while take(".") { _ = try requireName() }
        if self.is("<") { _ = try readGenericArguments() }
        // After any other attribute, a parenthesis belongs to the type: `@escaping (Int) -> Void`,
        // `@autoclosure() -> Int`.
        if self.is("("), Self.attributesWithArguments.contains(name) { try skipBrackets() }
    }

    private mutating func readUnattributedType() throws(UnreadableSource) -> WrittenType {
        let start = peek().range.lowerBound
        if self.is("some") || self.is("any"), startsType(at: 1) {
            let isOpaque = self.is("some")
            advance()
            let constraint = try readType()
            return WrittenType(
                expression: isOpaque ? .unsupported("an opaque type") : constraint.expression,
                form: isOpaque ? .opaque : .plain, range: start..<last.range.upperBound)
        }
        if self.is("repeat") || self.is("each"), startsType(at: 1) {
            advance()
            _ = try readType()
            return WrittenType(
                expression: .unsupported("a parameter pack"), range: start..<last.range.upperBound)
        }
        let first = try readPostfixType()
        if let function = try readFunction(from: start) { return function }
        guard self.is("&") else { return first }
        var elements = [first.expression]
        while take("&") { elements.append(try readPostfixType().expression) }
        return WrittenType(expression: .composition(elements), range: start..<last.range.upperBound)
    }

    /// Reads the rest of a function type whose parameters have been read; returns nil if the type is not a
    /// function type.
    private mutating func readFunction(from start: Int) throws(UnreadableSource) -> WrittenType? {
        var offset = 0
        while isAny(of: ["async", "throws", "rethrows", "reasync"], at: offset) {
            offset += 1
            if self.is("(", at: offset) {
                // throws(Failure)
                var rest = self
                rest.advance(offset)
                try rest.skipBrackets()
                offset = rest.index - index
            }
        }
        guard isOperator("->", at: offset) else { return nil }
        advance(offset + 2)
        _ = try readType()
        return WrittenType(
            expression: .unsupported("a function"), form: .function, range: start..<last.range.upperBound)
    }

    private mutating func readPostfixType() throws(UnreadableSource) -> WrittenType {
        let start = peek().range.lowerBound
        var expression = try readPrimaryType()
        var form = WrittenType.Form.plain
        var length = 0
        while true {
            length += 1
            guard length <= Self.deepestNesting else { throw tooDeep }
            // A line may begin with an operator, but a type never continues there.
            if self.is("?"), !peek().hasSpaceBefore {
                advance()
                expression = .optional(expression)
                form = .plain
            } else if self.is("!"), !peek().hasSpaceBefore {
                form = .implicitlyUnwrapped(text(in: start..<last.range.upperBound))
                advance()
                expression = .optional(expression)
            } else if self.is("."), !isOperator(".."), name(at: 1) != nil {
                advance()
                expression = try readMember(of: expression)
                form = .plain
            } else {
                return WrittenType(expression: expression, form: form, range: start..<last.range.upperBound)
            }
        }
    }

    private mutating func readMember(of base: TypeExpression) throws(UnreadableSource) -> TypeExpression {
        let isQuoted = peek().kind == .identifier(isQuoted: true)
        let (name, _) = try requireName()
        if !isQuoted, name == "Type" || name == "Protocol" { return .unsupported("a metatype") }
        let arguments = self.is("<") ? try readGenericArguments() : []
        guard case .named(let components) = base else { return .unsupported("a member type of this form") }
        return .named(components + [.init(name, arguments: arguments)])
    }

    private mutating func readPrimaryType() throws(UnreadableSource) -> TypeExpression {
        if self.is("(") { return try readTuple() }
        if self.is("[") { return try readBracketedType() }
        if take("~") {
            while take("~") {}
            _ = try readPostfixType()
            return .unsupported("a noncopyable type")
        }
        guard let name = name() else { throw unexpected("a type is missing") }
        advance()
        return .named([.init(name, arguments: self.is("<") ? try readGenericArguments() : [])])
    }

    /// Reads a type in parentheses: a tuple, or for `(Tag)` the type inside.
    private mutating func readTuple() throws(UnreadableSource) -> TypeExpression {
        try require("(")
        var elements: [TypeExpression] = []
        while !self.is(")") {
            // Labels: `(name: String)`, `(_ name: String)`.
            if name() != nil, self.is(":", at: 1) {
                advance(2)
            } else if name() != nil, name(at: 1) != nil, self.is(":", at: 2) {
                advance(3)
            }
            elements.append(try readType().expression)
            if isOperator("...") || self.is(".") { while take(".") {} }
            // The compiler rejects a default argument here.
            guard take(",") else { break }
        }
        try require(")")
        return elements.count == 1 ? elements[0] : .unsupported("a tuple")
    }

    private mutating func readBracketedType() throws(UnreadableSource) -> TypeExpression {
        try require("[")
        if peek().kind == .number || self.is("of", at: 1) {
            advance(2)
            _ = try readType()
            try require("]")
            return .unsupported("an inline array")
        }
        let first = try readType().expression
        if take("]") { return .array(first) }
        try require(":")
        let value = try readType().expression
        try require("]")
        return .dictionary(key: first, value: value)
    }

    mutating func readGenericArguments() throws(UnreadableSource) -> [TypeExpression] {
        try require("<")
        var arguments: [TypeExpression] = []
        while !self.is(">") {
            if peek().kind == .number || self.is("-") {
                _ = take("-")
                advance()
                arguments.append(.unsupported("a value argument"))
            } else {
                arguments.append(try readType().expression)
            }
            guard take(",") else { break }
        }
        try require(">")
        return arguments
    }

    /// Skips the generic arguments of a name in an expression, as in `Cache<Key, Value>(…)`; does nothing at
    /// a comparison.
    mutating func skipGenericArgumentsOfExpression() throws(UnreadableSource) {
        guard self.is("<"), !peek().hasSpaceBefore else { return }
        var rest = self
        do throws(UnreadableSource) {
            _ = try rest.readGenericArguments()
        } catch {
            // Trying again after each name would take time in proportion to the number of names.
            if error == rest.tooDeep { throw error }
            return
        }
        let token = rest.peek()
        let mayFollow: Bool =
            switch token.kind {
            case .end, .directive: true
            case .punctuation: !rest.is("_") && !rest.is("@")
            case .operator:
                rest.is("?") || rest.is("!") || rest.is("=") || rest.is("&") || rest.isOperator("==")
            case .identifier, .number, .literal: token.isAtLineStart
            }
        if mayFollow { self = rest }
    }
}
