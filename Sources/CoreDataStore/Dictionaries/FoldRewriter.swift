import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues

/// A rewriter that divides aggregate expressions between stores and memory: a value that stores can compute
/// for each row becomes a numbered part, and the expression reads the parts as variables. `$0` is a part's
/// value in the first row of a group, `$all0` is the list of its values in all rows of the group.
struct FoldRewriter {
    let entity: CompiledEntity
    let model: CompiledModel
    private(set) var parts: [DictionaryShape.Column] = []
    /// Whether any expression aggregates rows.
    private(set) var foldsRows = false
    /// The expressions of the columns, by the names that refer to them in a condition on groups (HAVING).
    var cells: [String: ExpressionNode] = [:]

    init(entity: CompiledEntity, model: CompiledModel) {
        self.entity = entity
        self.model = model
    }

    static func all(_ part: String) -> String { "all" + part }

    /// Returns the position of an expression among the parts, adding it if need be.
    mutating func part(_ expression: ExpressionNode, as type: AttributeType) -> Int {
        if let known = parts.firstIndex(where: { $0.expression == expression && $0.type == type }) {
            return known
        }
        parts.append(.init(name: "\(parts.count)", expression: expression, type: type))
        return parts.count - 1
    }

    mutating func cell(_ expression: ExpressionNode, as type: AttributeType = .undefined) -> ExpressionNode {
        if let folded = fold(expression) { return folded }
        switch expression {
        case .constant: return expression
        case .function(nil, let name, let arguments) where folds(expression):
            return .function(operand: nil, name: name, arguments: arguments.map { cell($0) })
        case .conditional(let predicate, let first, let second) where folds(expression):
            return .conditional(condition(predicate), cell(first), cell(second))
        default: return .variable(parts[part(expression, as: type)].name)
        }
    }

    mutating func condition(_ predicate: PredicateNode) -> PredicateNode {
        switch predicate {
        case .constant, .block: return predicate
        case .compound(let logic, let operands): return .compound(logic, operands.map { condition($0) })
        case .comparison(var comparison):
            comparison.left = operand(comparison.left)
            comparison.right = operand(comparison.right)
            return .comparison(comparison)
        }
    }

    private mutating func operand(_ expression: ExpressionNode) -> ExpressionNode {
        switch expression {
        case .keyPath(.evaluatedObject, let keys) where keys.count == 1 && cells[keys[0]] != nil:
            return cells[keys[0]] ?? expression
        case .variable(let name): return cells[name] ?? expression
        case .aggregate(let elements): return .aggregate(elements.map { cell($0) })
        default: return cell(expression)
        }
    }

    // MARK: Folding

    private static let functions = Set(KeyPathOperators.folds.values).union(["median:", "mode:", "stddev:"])

    /// Returns an expression over the values of a group's rows; nil if this one does not aggregate.
    private mutating func fold(_ expression: ExpressionNode) -> ExpressionNode? {
        switch expression {
        case .keyPath(.evaluatedObject, let keys):
            guard let name = keys.first.flatMap({ KeyPathOperators.folds[$0] }) else { return nil }
            let rest = Array(keys.dropFirst())
            return fold(
                name, rest.isEmpty ? .evaluatedObject : .keyPath(operand: .evaluatedObject, keys: rest))
        case .function(nil, let name, let arguments)
        where arguments.count == 1 && Self.functions.contains(name):
            if case .function(nil, "distinct:", let inner) = arguments[0], inner.count == 1 {
                return isToMany(inner[0]) ? nil : fold(name, inner[0], isDistinct: true)
            }
            return isToMany(arguments[0]) ? nil : fold(name, arguments[0])
        default: return nil
        }
    }

    private mutating func fold(
        _ name: String, _ expression: ExpressionNode, isDistinct: Bool = false
    ) -> ExpressionNode {
        foldsRows = true
        let part = parts[part(expression, as: .undefined)]
        var values = ExpressionNode.variable(Self.all(part.name))
        if isDistinct { values = .function(operand: nil, name: "distinct:", arguments: [values]) }
        let folded = ExpressionNode.function(operand: nil, name: name, arguments: [values])
        guard name == "average:" else { return folded }
        // The average of no values is null in SQL, and zero in the evaluation in memory.
        let count = ExpressionNode.function(operand: nil, name: "count:", arguments: [values])
        let isEmpty = ComparisonNode(count, .equalTo, .constant(.value(.integer(0))))
        return .conditional(.comparison(isEmpty), .constant(.null), folded)
    }

    /// Returns whether any part of an expression aggregates rows.
    private func folds(_ expression: ExpressionNode) -> Bool {
        var copy = self
        copy.foldsRows = false
        _ = NodeRewriter { node in
            _ = copy.fold(node)
            return node
        }.rewrite(expression)
        return copy.foldsRows
    }

    /// Returns whether an expression has several values for each row: a list, a subquery or a path through a
    /// to-many relationship. The stores aggregate these row by row.
    private func isToMany(_ expression: ExpressionNode) -> Bool {
        switch expression {
        case .aggregate, .subquery, .constant(.collection): return true
        case .keyPath(.subquery, _): return true
        case .keyPath(.evaluatedObject, let keys):
            var current = entity
            for key in keys {
                guard let relationship = current.slot(named: key)?.relationship else { return false }
                if relationship.isToMany { return true }
                current = model[relationship.destination]
            }
            return false
        default: return false
        }
    }
}
