/// The functions of expressions, by the selector-like names in `ExpressionNode.function`.
package enum FunctionName {
    /// Every name with its number of arguments; nil where any number is allowed.
    private static let arities: [String: Int?] = [
        "sum:": nil, "count:": nil, "min:": nil, "max:": nil, "average:": nil, "median:": nil, "mode:": nil,
        "stddev:": nil, "distinct:": 1,
        "add:to:": 2, "from:subtract:": 2, "multiply:by:": 2, "divide:by:": 2, "modulus:by:": 2, "sqrt:": 1,
        "log:": 1, "ln:": 1, "raise:toPower:": 2, "exp:": 1, "floor:": 1, "ceiling:": 1, "abs:": 1,
        "trunc:": 1, "random": 0, "random:": 1, "now": 0, "uppercase:": 1, "lowercase:": 1, "canonical:": 1,
        "length:": 1, "bitwiseAnd:with:": 2, "bitwiseOr:with:": 2, "bitwiseXor:with:": 2, "leftshift:by:": 2,
        "rightshift:by:": 2, "onesComplement:": 1, "noindex:": 1, "indexed:by:": 2,
        "distanceToLocation:fromLocation:": 2,
        "castObject:toType:": 2, "objectFrom:withIndex:": 2,
    ]

    private static let aliases = [
        "avg": "average", "avg:": "average:", "ceil": "ceiling", "ceil:": "ceiling:",
    ]

    /// Returns the full name of the function that `sum`, `sum:` or `add` denotes, which depends on the number
    /// of arguments; nil if there is no such function.
    package static func resolve(_ spelling: String, argumentCount: Int) -> String? {
        let spelling = aliases[spelling] ?? spelling
        if fits(spelling, argumentCount) { return spelling }
        if fits(spelling + ":", argumentCount) { return spelling + ":" }
        guard !spelling.contains(":") else { return nil }
        return arities.keys.first { $0.hasPrefix(spelling + ":") && fits($0, argumentCount) }
    }

    private static func fits(_ name: String, _ argumentCount: Int) -> Bool {
        guard let arity = arities[name] else { return false }
        return arity == nil ? argumentCount > 0 : arity == argumentCount
    }

    // MARK: Infix signs

    /// Operators between two expressions, from the least to the most tightly binding.
    package static let infix: [[String: String]] = [
        ["|": "bitwiseOr:with:"], ["^": "bitwiseXor:with:"], ["&": "bitwiseAnd:with:"],
        ["<<": "leftshift:by:", ">>": "rightshift:by:"],
        ["+": "add:to:", "-": "from:subtract:"], ["*": "multiply:by:", "/": "divide:by:"],
        ["**": "raise:toPower:"],
    ]

    /// Returns the function that an operator sign denotes, with the tightness of its binding.
    package static func infix(_ sign: String) -> (name: String, binding: Int)? { names[sign] }

    private static let names: [String: (name: String, binding: Int)] = {
        var names: [String: (name: String, binding: Int)] = [:]
        for (binding, level) in infix.enumerated() {
            for (text, name) in level { names[text] = (name, binding) }
        }
        return names
    }()

    /// Returns the sign of a function that is written between its arguments, and the tightness of its
    /// binding.
    package static func sign(of name: String) -> (text: String, binding: Int)? {
        signs[name].map { ($0.text, $0.binding) }
    }

    private struct Sign {
        let text: String
        let binding: Int
    }

    private static let signs: [String: Sign] = {
        var signs: [String: Sign] = [:]
        for (binding, level) in infix.enumerated() {
            for (text, name) in level { signs[name] = Sign(text: text, binding: binding) }
        }
        return signs
    }()

    // MARK: Symbolic indexes

    /// `[FIRST]`, `[LAST]` and `[SIZE]`: a function without arguments as the index of
    /// `objectFrom:withIndex:`.
    package static let symbolicIndexes: Set<String> = ["FIRST", "LAST", "SIZE"]

    package static func symbolicIndex(_ node: ExpressionNode) -> String? {
        guard case .function(nil, let name, let arguments) = node, arguments.isEmpty,
            symbolicIndexes.contains(name)
        else { return nil }
        return name
    }
}
