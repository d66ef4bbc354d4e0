import CoreDataValues

/// The parser of Apple's predicate format into trees.
///
/// Chains of one operator become one compound (`a AND b AND c` has three operands); parentheses preserve
/// grouping. `NONE x` is `NOT ANY x`, `SELF.a` is `a`, and `x.@count` stays a key path. A minus before a
/// number is part of the number; before anything else it means `0 - x`. `CAST(seconds, "NSDate")` of a number
/// is a date. `%K` alone is `%K == YES`.
///
/// It takes one pass over the format without backtracking; most formats are parsed only at their first use.
/// No tree has more than 100 levels.
package struct FormatParser {
    package static func predicate(
        _ format: String,
        arguments: [ExpressionNode] = []
    ) throws(PredicateSyntaxError) -> PredicateNode {
        if let predicate = FormatTemplate.of(format).predicate(with: arguments) { return predicate }
        return try parse(format, arguments: arguments)
    }

    /// Parses a format without using the templates of formats parsed before.
    package static func parse(
        _ format: String,
        arguments: [ExpressionNode]
    ) throws(PredicateSyntaxError) -> PredicateNode {
        var parser = try FormatParser(format, arguments)
        let predicate = try parser.predicate()
        try parser.expectEnd()
        return predicate
    }

    package static func expression(
        _ format: String,
        arguments: [ExpressionNode] = []
    ) throws(PredicateSyntaxError) -> ExpressionNode {
        var parser = try FormatParser(format, arguments)
        let expression = try parser.expression()
        try parser.expectEnd()
        return expression
    }

    private let tokens: [FormatToken]
    /// The position of the closing parenthesis for each opening one.
    private let closings: [Int: Int]
    private var index = 0
    var arguments: FormatArguments
    /// The number of parentheses, calls and signs that enclose the next token.
    private var depth = 0
    /// The number of levels in the tree that was read last.
    private(set) var height = 0
    /// The greatest number of levels. Walking a deeper tree could exhaust the stack of a background thread.
    private static let deepest = 100

    private init(_ format: String, _ arguments: [ExpressionNode]) throws(PredicateSyntaxError) {
        tokens = try FormatLexer.tokens(of: format)
        closings = Self.closings(in: tokens)
        self.arguments = FormatArguments(arguments)
    }

    // MARK: Tokens

    var current: FormatToken { tokens[index] }
    var following: FormatToken { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
    }

    mutating func take(sign: String) -> Bool {
        guard current.isSign(sign) else { return false }
        advance()
        return true
    }

    mutating func take(keyword: String) -> Bool {
        guard current.keyword == keyword else { return false }
        advance()
        return true
    }

    mutating func expect(sign: String) throws(PredicateSyntaxError) {
        guard take(sign: sign) else { throw unexpected("'\(sign)'") }
    }

    private func expectEnd() throws(PredicateSyntaxError) {
        if current.kind != .end { throw unexpected("an operator or the end") }
    }

    func unexpected(_ expected: String) -> PredicateSyntaxError {
        PredicateSyntaxError(position: current.position, expected: expected, found: current.text)
    }

    /// Enters a nested term, which takes `levels` nested calls of the parser and as many levels of the tree.
    mutating func enter(_ levels: Int = 1) throws(PredicateSyntaxError) {
        guard depth + levels <= Self.deepest else { throw tooDeep }
        depth += levels
    }

    /// Leaves a nested term. After an error it need not be called, since the parser is not used again.
    mutating func leave(_ levels: Int = 1) { depth -= levels }

    private var tooDeep: PredicateSyntaxError { unexpected("at most \(Self.deepest) nested terms") }

    /// Notes that the tree has one level above the given height. Chains such as `a + b + c` add levels
    /// without nesting.
    mutating func grow(above height: Int) throws(PredicateSyntaxError) {
        guard height < Self.deepest else { throw tooDeep }
        self.height = height + 1
    }

    mutating func setHeight(_ height: Int) { self.height = height }

    // MARK: Compounds

    mutating func predicate() throws(PredicateSyntaxError) -> PredicateNode {
        let first = try conjunction()
        guard isOr else { return first }
        var operands = [first]
        var tallest = height
        while isOr {
            advance()
            operands.append(try conjunction())
            tallest = max(tallest, height)
        }
        try grow(above: tallest)
        return .compound(.or, operands)
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> PredicateNode {
        let first = try negation()
        guard isAnd else { return first }
        var operands = [first]
        var tallest = height
        while isAnd {
            advance()
            operands.append(try negation())
            tallest = max(tallest, height)
        }
        try grow(above: tallest)
        return .compound(.and, operands)
    }

    private var isOr: Bool { current.keyword == "OR" || current.isSign("||") }
    private var isAnd: Bool { current.keyword == "AND" || current.isSign("&&") }

    private mutating func negation() throws(PredicateSyntaxError) -> PredicateNode {
        if take(keyword: "NOT") || take(sign: "!") {
            try enter()
            let operand = try negation()
            leave()
            try grow(above: height)
            return .compound(.not, [operand])
        }
        setHeight(1)
        if take(keyword: "TRUEPREDICATE") { return .constant(true) }
        if take(keyword: "FALSEPREDICATE") { return .constant(false) }
        guard current.isSign("("), !isParenthesizedExpression else { return try comparison() }
        advance()
        try enter()
        let inner = try predicate()
        leave()
        try expect(sign: ")")
        return inner
    }

    /// Whether the next parenthesis encloses an operand rather than a predicate, which the token after its
    /// end shows.
    private var isParenthesizedExpression: Bool {
        guard let close = closings[index] else { return false }
        let next = tokens[close + 1]
        if case .sign(let sign) = next.kind { return Self.signsBehindOperands.contains(sign) }
        if next.selector != nil { return true }
        return next.keyword.map(Self.wordsBehindOperands.contains) ?? false
    }

    private static func closings(in tokens: [FormatToken]) -> [Int: Int] {
        var closings: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            if token.isSign("(") { open.append(index) }
            if token.isSign(")"), let start = open.popLast() { closings[start] = index }
        }
        return closings
    }

    private static let signsBehindOperands: Set<String> = [
        "=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "+", "-", "*", "/", "**", "&", "|", "^",
        "<<",
        ">>", ".", "[",
    ]

    private static let wordsBehindOperands = Set(operatorWords.keys).union(["UNION", "INTERSECT", "MINUS"])

    // MARK: Comparisons

    private mutating func comparison() throws(PredicateSyntaxError) -> PredicateNode {
        let word = current.keyword
        let modifier: ComparisonModifier? =
            switch word {
            case "ANY", "SOME", "NONE": .any
            case "ALL": .all
            default: nil
            }
        if modifier != nil { advance() }
        let isKeyArgument = current.kind == .keyArgument
        let left = try expression()
        let leftHeight = height
        if isKeyArgument, modifier == nil, isBehindCondition, case .keyPath = left {
            try grow(above: leftHeight)
            return .comparison(ComparisonNode(left, .equalTo, .constant(.value(.boolean(true)))))
        }
        let selector = current.selector
        let relation = try comparisonOperator()
        let options = try comparisonOptions()
        let right = try expression()
        try grow(above: max(leftHeight, height))
        let node = PredicateNode.comparison(
            ComparisonNode(
                left, relation, right, modifier: modifier ?? .direct, options: options, selector: selector))
        guard word == "NONE" else { return node }
        try grow(above: height)
        return .compound(.not, [node])
    }

    private var isBehindCondition: Bool { isAnd || isOr || current.isSign(")") || current.kind == .end }

    private static let operatorSigns: [String: ComparisonOperator] = [
        "=": .equalTo, "==": .equalTo, "!=": .notEqualTo, "<>": .notEqualTo, "<": .lessThan,
        "<=": .lessThanOrEqualTo, "=<": .lessThanOrEqualTo, ">": .greaterThan, ">=": .greaterThanOrEqualTo,
        "=>": .greaterThanOrEqualTo,
    ]

    private static let operatorWords: [String: ComparisonOperator] = [
        "MATCHES": .matches, "LIKE": .like, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "IN": .in,
        "CONTAINS": .contains, "BETWEEN": .between,
    ]

    private mutating func comparisonOperator() throws(PredicateSyntaxError) -> ComparisonOperator {
        var found: ComparisonOperator?
        if case .sign(let sign) = current.kind { found = Self.operatorSigns[sign] }
        if let word = current.keyword { found = Self.operatorWords[word] }
        // `SELF isKindOfClass: %@` compares by calling a method of the left side.
        if current.selector != nil { found = .customSelector }
        guard let found else { throw unexpected("a comparison operator") }
        advance()
        return found
    }

    /// Reads options after an operator, such as `[cd]`.
    private mutating func comparisonOptions() throws(PredicateSyntaxError) -> ComparisonOptions {
        guard take(sign: "[") else { return [] }
        guard case .word(let letters) = current.kind else { throw unexpected("options such as 'cd'") }
        var options: ComparisonOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default: throw unexpected("the options c, d, n and l")
            }
        }
        advance()
        try expect(sign: "]")
        return options
    }
}
