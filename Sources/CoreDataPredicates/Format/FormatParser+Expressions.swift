import CoreDataValues

extension FormatParser {
    /// Reads an expression. Recursive functions of the parser keep little on the stack, since their other
    /// work is in separate functions.
    mutating func expression() throws(PredicateSyntaxError) -> ExpressionNode {
        let first = try infix(0)
        return isSetOperator ? try sets(from: first) : first
    }

    private var isSetOperator: Bool {
        switch current.keyword {
        case "UNION", "INTERSECT", "MINUS": true
        default: false
        }
    }

    private mutating func sets(from first: ExpressionNode) throws(PredicateSyntaxError) -> ExpressionNode {
        var left = first
        while isSetOperator {
            let word = current.keyword
            advance()
            let leftHeight = height
            let right = try infix(0)
            try grow(above: max(leftHeight, height))
            switch word {
            case "UNION": left = .unionSet(left, right)
            case "INTERSECT": left = .intersectSet(left, right)
            default: left = .minusSet(left, right)
            }
        }
        return left
    }

    /// Reads operators that bind at least as tightly as `minimum`, and applies them from the left. The power
    /// operator, which binds most tightly, is applied from the right.
    private mutating func infix(_ minimum: Int) throws(PredicateSyntaxError) -> ExpressionNode {
        var left = try isSigned ? signed() : postfix()
        while let (name, binding) = infixOperator, binding >= minimum {
            advance()
            left = try infix(left, name, isPower: binding == Self.power, binding)
        }
        return left
    }

    private mutating func infix(
        _ left: ExpressionNode, _ name: String, isPower: Bool, _ binding: Int
    ) throws(PredicateSyntaxError) -> ExpressionNode {
        let leftHeight = height
        try enter()
        let right = try infix(isPower ? binding : binding + 1)
        leave()
        try grow(above: max(leftHeight, height))
        return .function(operand: nil, name: name, arguments: [left, right])
    }

    private var infixOperator: (name: String, binding: Int)? {
        guard case .sign(let sign) = current.kind else { return nil }
        return FunctionName.infix(sign)
    }

    private static let power = FunctionName.infix.count - 1

    private var isSigned: Bool { current.isSign("-") || current.isSign("~") }

    /// Reads `-x` or `~x`, which bind less tightly than a power.
    private mutating func signed() throws(PredicateSyntaxError) -> ExpressionNode {
        let isMinus = current.isSign("-")
        advance()
        try enter()
        let operand = try infix(Self.power)
        leave()
        try grow(above: height)
        return isMinus
            ? Self.negated(operand) : .function(operand: nil, name: "onesComplement:", arguments: [operand])
    }

    private static func negated(_ operand: ExpressionNode) -> ExpressionNode {
        switch operand {
        case .constant(.value(.integer(let number))) where number != .min:
            return .constant(.value(.integer(-number)))
        // The only integer whose digits are out of range without the sign.
        case .constant(.value(.double(0x1p63))): return .constant(.value(.integer(.min)))
        case .constant(.value(.double(let number))): return .constant(.value(.double(-number)))
        default:
            let zero = ExpressionNode.constant(.value(.integer(0)))
            return .function(operand: nil, name: "from:subtract:", arguments: [zero, operand])
        }
    }

    // MARK: Paths

    private mutating func postfix() throws(PredicateSyntaxError) -> ExpressionNode {
        var node = try primary()
        while true {
            if current.isSign(".") {
                node = try path(from: node)
            } else if take(sign: "[") {
                node = try element(of: node)
            } else {
                return node
            }
        }
    }

    private mutating func path(from node: ExpressionNode) throws(PredicateSyntaxError) -> ExpressionNode {
        var keys: [String] = []
        while take(sign: ".") { keys += try self.keys() }
        try grow(above: height)
        return node.appending(keys)
    }

    private mutating func element(of node: ExpressionNode) throws(PredicateSyntaxError) -> ExpressionNode {
        let baseHeight = height
        let index = try self.index()
        try expect(sign: "]")
        try grow(above: max(baseHeight, height))
        return .function(operand: nil, name: "objectFrom:withIndex:", arguments: [node, index])
    }

    /// Reads the keys after a dot.
    private mutating func keys() throws(PredicateSyntaxError) -> [String] {
        let token = current
        advance()
        switch token.kind {
        case .word(let word), .escapedWord(let word): return [word]
        case .collectionOperator(let name): return [name]
        case .keyArgument: return try arguments.keys(at: token.position)
        default:
            throw PredicateSyntaxError(position: token.position, expected: "a key", found: token.text)
        }
    }

    private mutating func index() throws(PredicateSyntaxError) -> ExpressionNode {
        if let word = current.keyword, FunctionName.symbolicIndexes.contains(word), following.isSign("]") {
            advance()
            setHeight(1)
            return .function(operand: nil, name: word, arguments: [])
        }
        return try inner()
    }

    /// Reads an expression within another one.
    mutating func inner() throws(PredicateSyntaxError) -> ExpressionNode {
        try enter()
        let node = try expression()
        leave()
        return node
    }

    // MARK: Operands

    private mutating func primary() throws(PredicateSyntaxError) -> ExpressionNode {
        setHeight(1)
        if take(sign: "(") { return try parenthesized() }
        if take(sign: "{") { return .aggregate(try list(until: "}")) }
        return following.isSign("(") && current.keyword != nil ? try call() : try leaf()
    }

    private mutating func parenthesized() throws(PredicateSyntaxError) -> ExpressionNode {
        try enter()
        let node = try expression()
        leave()
        try expect(sign: ")")
        return node
    }

    private mutating func leaf() throws(PredicateSyntaxError) -> ExpressionNode {
        let token = current
        switch token.kind {
        case .word(let word): return try self.word(word, token.keyword ?? word)
        case .escapedWord(let word):
            advance()
            return .keyPath(operand: .evaluatedObject, keys: [word])
        case .variable(let name):
            advance()
            return .variable(name)
        case .collectionOperator(let name):
            advance()
            return .keyPath(operand: .evaluatedObject, keys: [name])
        case .string(let string):
            advance()
            return .constant(.value(.string(string)))
        case .integer(let number):
            advance()
            return .constant(.value(.integer(number)))
        case .double(let number):
            advance()
            return .constant(.value(.double(number)))
        case .argument(let specifier):
            advance()
            return try arguments.value(for: specifier, at: token.position)
        case .keyArgument:
            advance()
            return ExpressionNode.evaluatedObject.appending(try arguments.keys(at: token.position))
        case .sign, .end: throw unexpected("an expression")
        }
    }

    private mutating func word(
        _ word: String, _ keyword: String
    ) throws(PredicateSyntaxError) -> ExpressionNode {
        let node: ExpressionNode
        switch keyword {
        case "SELF": node = .evaluatedObject
        case "TRUE", "YES": node = .constant(.value(.boolean(true)))
        case "FALSE", "NO": node = .constant(.value(.boolean(false)))
        case "NULL", "NIL": node = .constant(.null)
        case "ANYKEY": node = .anyKey
        default:
            guard !ReservedWords.isStrict(keyword), !word.utf8.contains(UInt8(ascii: ":")) else {
                throw unexpected("an expression")
            }
            node = .keyPath(operand: .evaluatedObject, keys: [word])
        }
        advance()
        return node
    }

    /// Reads expressions up to the closing sign, and the sign itself.
    mutating func list(until close: String) throws(PredicateSyntaxError) -> [ExpressionNode] {
        setHeight(1)
        if take(sign: close) { return [] }
        var elements: [ExpressionNode] = []
        var tallest = 0
        repeat {
            elements.append(try inner())
            tallest = max(tallest, height)
        } while take(sign: ",")
        try grow(above: tallest)
        guard take(sign: close) else { throw unexpected("',' or '\(close)'") }
        return elements
    }
}

extension ExpressionNode {
    /// Returns the path that continues this expression.
    package func appending(_ keys: [String]) -> ExpressionNode {
        if keys.isEmpty { return self }
        if case .keyPath(let operand, let first) = self {
            return .keyPath(operand: operand, keys: first + keys)
        }
        return .keyPath(operand: self, keys: keys)
    }
}
