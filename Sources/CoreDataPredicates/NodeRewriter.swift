/// A rewriter of trees that replaces some of their expressions.
package struct NodeRewriter {
    /// Returns the replacement for an expression whose parts are already rewritten, or the expression itself
    /// to keep it.
    private let replacement: (ExpressionNode) -> ExpressionNode

    package init(_ replacement: @escaping (ExpressionNode) -> ExpressionNode) {
        self.replacement = replacement
    }

    package func rewrite(_ predicate: PredicateNode) -> PredicateNode {
        switch predicate {
        case .constant, .block: return predicate
        case .comparison(var comparison):
            comparison.left = rewrite(comparison.left)
            comparison.right = rewrite(comparison.right)
            return .comparison(comparison)
        case .compound(let logical, let operands): return .compound(logical, operands.map(rewrite))
        }
    }

    package func rewrite(_ expression: ExpressionNode) -> ExpressionNode {
        switch expression {
        case .constant, .evaluatedObject, .variable, .anyKey: return replacement(expression)
        case .keyPath(let operand, let keys):
            return replacement(.keyPath(operand: rewrite(operand), keys: keys))
        case .function(let operand, let name, let arguments):
            return replacement(
                .function(operand: operand.map(rewrite), name: name, arguments: arguments.map(rewrite)))
        case .aggregate(let elements): return replacement(.aggregate(elements.map(rewrite)))
        case .subquery(let collection, let variable, let predicate):
            let inner = keeping(variable).rewrite(predicate)
            return replacement(
                .subquery(collection: rewrite(collection), variable: variable, predicate: inner))
        case .unionSet(let left, let right): return replacement(.unionSet(rewrite(left), rewrite(right)))
        case .intersectSet(let left, let right):
            return replacement(.intersectSet(rewrite(left), rewrite(right)))
        case .minusSet(let left, let right): return replacement(.minusSet(rewrite(left), rewrite(right)))
        case .conditional(let predicate, let first, let second):
            return replacement(.conditional(rewrite(predicate), rewrite(first), rewrite(second)))
        case .fetch(let request, let context, let isCountOnly):
            return replacement(
                .fetch(request: rewrite(request), context: rewrite(context), isCountOnly: isCountOnly))
        case .block(let block, let arguments):
            return replacement(.block(block, arguments: arguments.map(rewrite)))
        }
    }

    /// Returns a rewriter that does not replace a variable, since a subquery binds it to another value.
    private func keeping(_ variable: String) -> NodeRewriter {
        NodeRewriter { node in node == .variable(variable) ? node : replacement(node) }
    }
}

extension PredicateNode {
    /// Returns the predicate with variables replaced by their values. Variables without a value stay.
    package func substituting(_ variables: [String: ExpressionNode]) -> PredicateNode {
        NodeRewriter(ExpressionNode.substitution(variables)).rewrite(self)
    }
}

extension ExpressionNode {
    package func substituting(_ variables: [String: ExpressionNode]) -> ExpressionNode {
        NodeRewriter(Self.substitution(variables)).rewrite(self)
    }

    fileprivate static func substitution(
        _ variables: [String: ExpressionNode]
    ) -> (ExpressionNode) -> ExpressionNode {
        { node in
            guard case .variable(let name) = node, let value = variables[name] else { return node }
            return value
        }
    }
}

extension PredicateNode {
    /// Returns the predicate with `SELF` in place of a variable; nil if it also depends on another object or
    /// another variable.
    func asking(onlyAbout variable: String) -> PredicateNode? {
        var asksMore = hasBlock
        let rewritten = NodeRewriter { node in
            switch node {
            case .variable(variable): return .evaluatedObject
            case .variable, .evaluatedObject, .block, .fetch, .subquery: asksMore = true
            // Paths through `SELF` need the element itself, not only its keys.
            case .keyPath(_, let keys) where keys.contains { $0.lowercased() == "self" }: asksMore = true
            default: break
            }
            return node
        }.rewrite(self)
        return asksMore ? nil : rewritten
    }

    private var hasBlock: Bool {
        switch self {
        case .block: true
        case .constant, .comparison: false
        case .compound(_, let operands): operands.contains(where: \.hasBlock)
        }
    }
}
