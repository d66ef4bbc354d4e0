/// The attributes in front of a declaration.
struct WrittenAttributes {
    struct Attribute {
        /// The name with its generic arguments.
        var name: String
        /// The text in the attribute's parentheses.
        var argument: String?
        var text: String
    }

    enum Element {
        case attribute(Attribute)
        /// Attributes between `#if` and `#endif`, by clause.
        case conditional([(condition: String?, attributes: WrittenAttributes)])
    }

    var elements: [Element] = []

    var isEmpty: Bool { elements.isEmpty }

    /// Returns the attributes of a name that apply on Linux. Every `@objc` attribute does, whatever condition
    /// it is under: the name it gives is used here, where the attribute itself cannot be compiled.
    func all(named name: String) -> [Attribute] {
        elements.flatMap { element -> [Attribute] in
            switch element {
            case .attribute(let attribute): return attribute.name == name ? [attribute] : []
            case .conditional(let clauses):
                let counting =
                    name == "objc"
                    ? Array(clauses.indices)
                    : ConditionEvaluator().branches(of: clauses.map(\.condition)).map(\.index)
                return counting.flatMap { clauses[$0].attributes.all(named: name) }
            }
        }
    }

    func has(_ name: String) -> Bool { !all(named: name).isEmpty }

    func argument(of name: String) -> String? { all(named: name).first?.argument }

    /// Whether an attribute is spelled as macros are.
    var mayHaveMacros: Bool {
        elements.contains { element in
            guard case .attribute(let attribute) = element else { return true }
            return attribute.name.first?.isUppercase == true && attribute.name != "MainActor"
        }
    }

    /// Returns whether every attribute that is not under `#if` has one of these names.
    func areAll(in names: Set<String>) -> Bool {
        elements.allSatisfy { element in
            guard case .attribute(let attribute) = element else { return true }
            return names.contains(attribute.name)
        }
    }
}

/// The modifiers in front of a declaration.
struct WrittenModifiers {
    struct Modifier {
        var name: String
        /// The word in parentheses: `set` of `private(set)`.
        var detail: String?
    }

    var modifiers: [Modifier] = []

    func has(_ name: String) -> Bool { modifiers.contains { $0.name == name } }

    /// Whether the declaration belongs to the type, not to its instances.
    var isOfType: Bool { has("static") || has("class") }

    /// The access level of the whole declaration; `private(set)` states none.
    var accessLevel: AccessLevel? {
        modifiers.lazy.filter { $0.detail == nil }.compactMap { AccessLevel(keyword: $0.name) }.first
    }

    /// Whether other files cannot set the property: `private(set)`.
    var hidesSetter: Bool {
        modifiers.contains { $0.detail != nil && ["private", "fileprivate"].contains($0.name) }
    }
}

extension TokenCursor {
    /// Returns whether a declaration begins `offset` tokens ahead: with an attribute, a keyword, or a
    /// modifier before one of these.
    func beginsDeclaration(at offset: Int = 0) -> Bool {
        if self.is("@", at: offset) { return name(at: offset + 1) != nil }
        guard case .identifier(isQuoted: false) = peek(offset).kind else { return false }
        let word = text(of: peek(offset))
        switch word {
        case "class":
            // In `class func` the word is a modifier, in `class Tag` a keyword.
            return name(at: offset + 1) != nil
        case "struct", "enum", "protocol", "extension", "typealias", "func", "import", "associatedtype",
            "precedencegroup", "var", "let", "deinit", "case", "operator":
            return true
        case "init": return ["(", "?", "!", "<"].contains { self.is($0, at: offset + 1) }
        case "subscript": return self.is("(", at: offset + 1) || self.is("<", at: offset + 1)
        case "actor", "macro":
            return name(at: offset + 1) != nil && !peek(offset + 1).isAtLineStart
        default:
            guard Self.modifiers.contains(word) else { return false }
            let next = self.is("(", at: offset + 1) ? offset + 4 : offset + 1
            // `private(set)` has one word between its parentheses; more than one is a call.
            if next > offset + 1, !self.is(")", at: offset + 3) { return false }
            return beginsDeclaration(at: next)
        }
    }

    static let accessLevels: Set<String> = [
        "private", "fileprivate", "internal", "package", "public", "open",
    ]

    static let modifiers = accessLevels.union([
        "static", "class", "final", "override", "lazy", "weak", "unowned", "dynamic", "optional", "required",
        "convenience", "indirect", "mutating", "nonmutating", "nonisolated", "isolated", "infix", "prefix",
        "postfix", "distributed", "borrowing", "consuming", "async", "sending", "_local", "__consuming",
    ])

    /// Whether the `#if` that begins here encloses only attributes of the declaration after it. The first
    /// clause may be empty.
    private var holdsOnlyAttributes: Bool {
        guard self.is("#if") else { return false }
        var rest = self
        _ = rest.readCondition()
        if rest.is("#else") || rest.is("#elseif") { _ = rest.readCondition() }
        guard rest.is("@"), (try? rest.readAttributes()) != nil else { return false }
        return rest.endsClause
    }

    mutating func readAttributes() throws(UnreadableSource) -> WrittenAttributes {
        var attributes = WrittenAttributes()
        while true {
            if self.is("@") {
                attributes.elements.append(.attribute(try readAttribute()))
            } else if holdsOnlyAttributes {
                var clauses: [(condition: String?, attributes: WrittenAttributes)] = []
                while !self.is("#endif") {
                    let condition = readCondition()
                    clauses.append((condition, try readAttributes()))
                    guard endsClause else { throw unexpected("'#endif' is missing") }
                }
                advance()
                attributes.elements.append(.conditional(clauses))
            } else {
                return attributes
            }
        }
    }

    private mutating func readAttribute() throws(UnreadableSource) -> WrittenAttributes.Attribute {
        let start = peek().range.lowerBound
        try require("@")
        let nameStart = peek().range.lowerBound
        _ = try requireName()
        while self.is("."), name(at: 1) != nil { advance(2) }
        if self.is("<") { _ = try readGenericArguments() }
        let name = text(in: nameStart..<last.range.upperBound)
        var argument: String?
        // After a space, parentheses belong to what follows, except in old spellings of the language's own
        // attributes.
        if self.is("("), !peek().hasSpaceBefore || ["objc", "available", "inline"].contains(name) {
            let open = peek().range.upperBound
            try skipBrackets()
            argument = trimmed(open..<last.range.lowerBound)
        }
        return WrittenAttributes.Attribute(
            name: name, argument: argument, text: text(in: start..<last.range.upperBound))
    }

    /// Returns the text of a range without the space around it.
    private func trimmed(_ range: Range<Int>) -> String {
        let text = text(in: range)
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? start
        return String(text[start..<max(start, end)])
    }

    mutating func readModifiers() throws(UnreadableSource) -> WrittenModifiers {
        var modifiers = WrittenModifiers()
        while isAny(of: Self.modifiers), beginsDeclaration() {
            let word = text(of: peek())
            // `class` is the keyword of the declaration itself.
            if word == "class", !beginsDeclaration(at: 1) { break }
            advance()
            var detail: String?
            if self.is("(") {
                let open = peek().range.upperBound
                try skipBrackets()
                detail = trimmed(open..<last.range.lowerBound)
            }
            modifiers.modifiers.append(.init(name: word, detail: detail))
        }
        return modifiers
    }

    /// Whether a clause of `#if` ends here.
    var endsClause: Bool { peek().kind == .directive && isAny(of: Self.clauseEnds) }

    private static let clauseEnds: Set<String> = ["#elseif", "#else", "#endif"]

    /// Reads `#if` or `#elseif` with its condition, or `#else`. Returns the condition; nil for `#else`.
    mutating func readCondition() -> String? {
        let isElse = self.is("#else")
        advance()
        if isElse { return nil }
        let start = peek().range.lowerBound
        var depth = 0
        repeat {
            if self.is("(") { depth += 1 }
            if self.is(")") { depth -= 1 }
            advance()
        } while !isAtEnd && (depth > 0 || !endsCondition)
        return text(in: start..<last.range.upperBound)
    }

    /// Whether the condition ends here: it continues on the next line only after an operator or before one.
    private var endsCondition: Bool {
        guard peek().isAtLineStart else { return false }
        if isOperator("&&") || isOperator("||") { return false }
        return last.kind != .operator
    }
}
