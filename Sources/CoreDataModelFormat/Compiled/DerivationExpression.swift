package import CoreDataPredicates

/// The conversion of derivation expressions into the form that the framework compiles: `pages.@count` becomes
/// the function call `count:(pages)`.
package enum DerivationExpression {
    package static func parse(_ text: String) throws -> ExpressionNode {
        compiled(try FormatParser.expression(text))
    }

    /// Returns the text that is hashed (version-hash §1). A text that does not parse is hashed unchanged.
    static func hashedText(_ text: String) -> String {
        (try? parse(text)).map(PredicateText.text(of:)) ?? text
    }

    private static func compiled(_ node: ExpressionNode) -> ExpressionNode {
        guard case .keyPath(let operand, var keys) = node,
            let position = keys.firstIndex(where: { $0.hasPrefix("@") }), position > 0
        else { return node }
        let name = keys.remove(at: position).dropFirst()
        return .function(
            operand: nil, name: FunctionName.resolve(String(name), argumentCount: 1) ?? "\(name):",
            arguments: [.keyPath(operand: operand, keys: keys)])
    }
}
