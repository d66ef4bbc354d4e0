/// The attributes before a declaration.
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

    /// Returns the attributes with a name that apply on Linux. For `@objc` these are all of them, under any
    /// condition: the name that it gives is used on Linux, although the attribute itself cannot be compiled
    /// there.
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

    /// Whether there is an attribute with the spelling of a macro.
    var mayHaveMacros: Bool {
        elements.contains { element in
            guard case .attribute(let attribute) = element else { return true }
            return attribute.name.first?.isUppercase == true && attribute.name != "MainActor"
        }
    }

    /// Returns whether all attributes outside of `#if` have one of these names.
    func areAll(in names: Set<String>) -> Bool {
        elements.allSatisfy { element in
            guard case .attribute(let attribute) = element else { return true }
            return names.contains(attribute.name)
        }
    }
}

/// The modifiers before a declaration.
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

    /// The access level of the whole declaration; nil if only the setter has one, as in `private(set)`.
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
        var offset = offset
        while let next = offsetBehindModifier(at: offset) { offset = next }
        if self.is("@", at: offset) { return name(at: offset + 1) != nil }
        guard case .identifier(isQuoted: false) = peek(offset).kind else { return false }
        let word = text(of: peek(offset))
        switch word {
        case "class":
            // In `class func` the word is a modifier; in `class Tag` it is a keyword.
            return name(at: offset + 1) != nil
        case "struct", "enum", "protocol", "extension", "typealias", "func", "import", "associatedtype",
            "precedencegroup", "var", "let", "deinit", "case", "operator":
            return true
        case "init": return ["(", "?", "!", "<"].contains { self.is($0, at: offset + 1) }
        case "subscript": return self.is("(", at: offset + 1) || self.is("<", at: offset + 1)
        case "actor", "macro":
            return name(at: offset + 1) != nil && !peek(offset + 1).isAtLineStart
        default: return false
        }
    }

    /// Returns the offset after a modifier; nil if there is none. Whether `class` is a modifier depends on
    /// the next word.
    private func offsetBehindModifier(at offset: Int) -> Int? {
        guard isAny(of: Self.modifiers, at: offset), !self.is("class", at: offset) else { return nil }
        guard self.is("(", at: offset + 1) else { return offset + 1 }
        // `private(set)` has one word in parentheses; with more than one word it is a call.
        return self.is(")", at: offset + 3) ? offset + 4 : nil
    }

    static let accessLevels: Set<String> = [
        "private", "fileprivate", "internal", "package", "public", "open",
    ]

    static let modifiers = accessLevels.union([
        "static", "class", "final", "override", "lazy", "weak", "unowned", "dynamic", "optional", "required",
        "convenience", "indirect", "mutating", "nonmutating", "nonisolated", "isolated", "infix", "prefix",
        "postfix", "distributed", "borrowing", "consuming", "async", "sending", "_local", "__consuming",
    ])

    /// Reads an `#if` that encloses only attributes of the declaration after it; nil if the next tokens are
    /// anything else. The first clause may be empty.
    private mutating func readConditionalAttributes() throws(UnreadableSource) -> WrittenAttributes.Element? {
        guard self.is("#if") else { return nil }
        var rest = self
        try rest.enter()
        var clauses: [(condition: String?, attributes: WrittenAttributes)] = []
        var condition = rest.readCondition()
        if rest.is("#else") || rest.is("#elseif") {
            clauses.append((condition, WrittenAttributes()))
            condition = rest.readCondition()
        }
        guard rest.is("@"), let attributes = try? rest.readAttributes(), rest.endsClause else { return nil }
        clauses.append((condition, attributes))
        while !rest.is("#endif") {
            let condition = rest.readCondition()
            clauses.append((condition, try rest.readAttributes()))
            guard rest.endsClause else { throw rest.unexpected("'#endif' is missing") }
        }
        rest.advance()
        rest.leave()
        self = rest
        return .conditional(clauses)
    }

    mutating func readAttributes() throws(UnreadableSource) -> WrittenAttributes {
        var attributes = WrittenAttributes()
        while true {
            if self.is("@") {
                attributes.elements.append(.attribute(try readAttribute()))
            } else if let conditional = try readConditionalAttributes() {
                attributes.elements.append(conditional)
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

    /// Returns the text of a range without the space before and after it.
    private func trimmed(_ range: Range<Int>) -> String {
        let text = text(in: range)
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? start
        return String(text[start..<max(start, end)])
    }

    mutating func readModifiers() -> WrittenModifiers {
        var modifiers = WrittenModifiers()
        guard beginsDeclaration() else { return modifiers }
        while true {
            // `class` before the name of a class is the keyword itself.
            let isClass = self.is("class") && beginsDeclaration(at: 1)
            guard let length = isClass ? 1 : offsetBehindModifier(at: 0) else { return modifiers }
            let word = text(of: peek())
            let detail = length > 1 ? text(of: peek(2)) : nil
            modifiers.modifiers.append(.init(name: word, detail: detail))
            advance(length)
        }
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
        while !isAtEnd {
            if self.is("(") { depth += 1 }
            if self.is(")") { depth -= 1 }
            advance()
            if depth <= 0, endsCondition { break }
        }
        return text(in: start..<max(start, last.range.upperBound))
    }

    /// Whether the condition ends here: it continues on the next line only after an operator or before one.
    private var endsCondition: Bool {
        guard peek().isAtLineStart else { return false }
        if isOperator("&&") || isOperator("||") { return false }
        return last.kind != .operator
    }
}
