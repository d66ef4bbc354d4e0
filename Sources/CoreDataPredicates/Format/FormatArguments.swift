import CoreDataValues

/// The values for the specifiers of a format, taken from left to right.
struct FormatArguments {
    private var remaining: ArraySlice<ExpressionNode>
    private let count: Int

    init(_ arguments: [ExpressionNode]) {
        remaining = arguments[...]
        count = arguments.count
    }

    private mutating func next(
        for specifier: String,
        at position: Int
    ) throws(PredicateSyntaxError) -> ExpressionNode {
        if let argument = remaining.popFirst() { return argument }
        throw PredicateSyntaxError(
            position: position,
            expected: "an argument for \(specifier)",
            found: count == 0 ? "no arguments" : "only \(count) arguments")
    }

    mutating func value(
        for specifier: String,
        at position: Int
    ) throws(PredicateSyntaxError) -> ExpressionNode {
        try next(for: specifier, at: position)
    }

    /// Takes the value for a `%K` and returns its keys: the string split at its dots.
    mutating func keys(at position: Int) throws(PredicateSyntaxError) -> [String] {
        switch try next(for: "%K", at: position) {
        case .constant(.value(.string(let path))): return path.split(separator: ".").map(String.init)
        case .keyPath(.evaluatedObject, let keys): return keys
        case .evaluatedObject: return []
        case let other:
            throw PredicateSyntaxError(
                position: position,
                expected: "a string with a key path for %K",
                found: NodePrinter.format(other))
        }
    }
}
