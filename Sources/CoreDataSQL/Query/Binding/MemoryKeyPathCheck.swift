import CoreDataPredicates
import CoreDataStore

/// A check for key paths that lead nowhere, in the part of a query that memory tests. It throws the errors
/// that binding for SQL throws.
struct MemoryKeyPathCheck {
    private var scope: BindingScope
    /// The variables of sub-queries over collections of anything but the model's objects.
    private var foreign: Set<String> = []

    init(scope: BindingScope) {
        self.scope = scope
    }

    func check(_ predicate: PredicateNode) throws(StoreError) {
        switch predicate {
        case .constant, .block: break
        case .comparison(let comparison):
            try check(comparison.left)
            try check(comparison.right)
        case .compound(_, let operands):
            for operand in operands { try check(operand) }
        }
    }

    func check(_ expression: ExpressionNode) throws(StoreError) {
        switch expression {
        case .constant, .evaluatedObject, .variable, .anyKey: break
        case .keyPath(let operand, _):
            if case .variable(let name) = operand, foreign.contains(name) { return }
            try check(operand)
            _ = try path(expression)
        case .function(let operand, _, let arguments):
            if let operand { try check(operand) }
            try check(arguments)
        case .aggregate(let elements): try check(elements)
        case .subquery(let collection, let variable, let predicate):
            try check(collection)
            try check(predicate, binding: variable, to: path(collection)?.point)
        case .unionSet(let left, let right), .intersectSet(let left, let right),
            .minusSet(let left, let right):
            try check([left, right])
        case .conditional(let predicate, let first, let second):
            try check(predicate)
            try check([first, second])
        case .fetch(let request, let context, _): try check([request, context])
        case .block(_, let arguments): try check(arguments)
        }
    }

    private func check(_ expressions: [ExpressionNode]) throws(StoreError) {
        for expression in expressions { try check(expression) }
    }

    private func check(
        _ predicate: PredicateNode,
        binding variable: String,
        to point: PathPoint?
    ) throws(StoreError) {
        var inner = self
        inner.scope = scope.binding(variable, to: point)
        if point == nil { inner.foreign.insert(variable) } else { inner.foreign.remove(variable) }
        try inner.check(predicate)
    }

    /// Returns the end of a path; nil if only memory can follow it.
    private func path(_ expression: ExpressionNode) throws(StoreError) -> PathEnd? {
        do throws(StoreError) {
            return try scope.paths.end(of: expression)
        } catch {
            guard case .inexpressible = error.kind else { throw error }
            return nil
        }
    }
}
