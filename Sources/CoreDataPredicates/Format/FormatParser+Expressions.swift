import CoreDataValues

extension FormatParser {
    mutating func expression() throws(PredicateSyntaxError) -> ExpressionNode {
        var left = try infix(0)
        while let word = current.keyword, ["UNION", "INTERSECT", "MINUS"].contains(word) {
            advance()
            let right = try infix(0)
            switch word {
            case "UNION": left = .unionSet(left, right)
            case "INTERSECT": left = .intersectSet(left, right)
            default: left = .minusSet(left, right)
            }
        }
        return left
    }

    /// Operators of one binding, applied from the left; the power, which binds tightest, from the right.
    private mutating func infix(_ binding: Int) throws(PredicateSyntaxError) -> ExpressionNode {
        guard binding < FunctionName.infix.count else { return try postfix() }
        let isPower = binding == FunctionName.infix.count - 1
        if isPower, let signed = try sign() { return signed }
        var left = try infix(binding + 1)
        while case .sign(let sign) = current.kind, let name = FunctionName.infix[binding][sign] {
            advance()
            let right =
                try isPower
                ? nested { parser throws(PredicateSyntaxError) in try parser.infix(binding) }
                : infix(binding + 1)
            left = .function(operand: nil, name: name, arguments: [left, right])
        }
        return left
    }

    /// `-x` and `~x`, which bind looser than a power.
    private mutating func sign() throws(PredicateSyntaxError) -> ExpressionNode? {
        let tightest = FunctionName.infix.count - 1
        if take(sign: "-") {
            let operand = try nested { parser throws(PredicateSyntaxError) in try parser.infix(tightest) }
            return Self.negated(operand)
        }
        if take(sign: "~") {
            let operand = try nested { parser throws(PredicateSyntaxError) in try parser.infix(tightest) }
            return .function(operand: nil, name: "onesComplement:", arguments: [operand])
        }
        return nil
    }

    private static func negated(_ operand: ExpressionNode) -> ExpressionNode {
        switch operand {
        case .constant(.value(.integer(let number))) where number != .min:
            return .constant(.value(.integer(-number)))
        // The one integer whose digits alone are too many.
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
            if take(sign: ".") {
                node = node.appending(try keys())
            } else if take(sign: "[") {
                let index = try self.index()
                try expect(sign: "]")
                node = .function(operand: nil, name: "objectFrom:withIndex:", arguments: [node, index])
            } else {
                return node
            }
        }
    }

    /// What may follow a dot.
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
            return .function(operand: nil, name: word, arguments: [])
        }
        return try nested { parser throws(PredicateSyntaxError) in try parser.expression() }
    }

    // MARK: Operands

    private mutating func primary() throws(PredicateSyntaxError) -> ExpressionNode {
        let token = current
        switch token.kind {
        case .word(let word):
            if following.isSign("(") { return try call(word) }
            return try self.word(word)
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
        case .sign("("):
            advance()
            let inner = try nested { parser throws(PredicateSyntaxError) in try parser.expression() }
            try expect(sign: ")")
            return inner
        case .sign("{"):
            advance()
            return .aggregate(try list(until: "}"))
        case .sign, .end: throw unexpected("an expression")
        }
    }

    private mutating func word(_ word: String) throws(PredicateSyntaxError) -> ExpressionNode {
        let node: ExpressionNode
        switch word.uppercased() {
        case "SELF": node = .evaluatedObject
        case "TRUE", "YES": node = .constant(.value(.boolean(true)))
        case "FALSE", "NO": node = .constant(.value(.boolean(false)))
        case "NULL", "NIL": node = .constant(.null)
        case "ANYKEY": node = .anyKey
        default:
            guard !ReservedWords.isStrict(word), !word.contains(":") else {
                throw unexpected("an expression")
            }
            node = .keyPath(operand: .evaluatedObject, keys: [word])
        }
        advance()
        return node
    }

    /// Expressions up to the closing sign, which is taken too.
    mutating func list(until close: String) throws(PredicateSyntaxError) -> [ExpressionNode] {
        if take(sign: close) { return [] }
        var elements: [ExpressionNode] = []
        repeat {
            elements.append(try nested { parser throws(PredicateSyntaxError) in try parser.expression() })
        } while take(sign: ",")
        guard take(sign: close) else { throw unexpected("',' or '\(close)'") }
        return elements
    }
}

extension ExpressionNode {
    /// The path that goes on from this expression.
    package func appending(_ keys: [String]) -> ExpressionNode {
        if keys.isEmpty { return self }
        if case .keyPath(let operand, let first) = self {
            return .keyPath(operand: operand, keys: first + keys)
        }
        return .keyPath(operand: self, keys: keys)
    }
}
