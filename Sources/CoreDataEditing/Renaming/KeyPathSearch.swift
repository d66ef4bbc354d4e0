import CoreDataModelFormat
import CoreDataPredicates

/// A search in a predicate or an expression for a marker: a key that stands in the place of one that may have
/// to be renamed. It tells whether the key has the wanted meaning there.
struct KeyPathSearch {
    /// The objects that `SELF` and the variables of a format stand for.
    struct Scope {
        var object: KeyOwner?
        var variables: [String: KeyOwner] = [:]
    }

    let resolver: KeyResolver
    let marker: String
    let wanted: KeyMeaning

    func finds(in predicate: PredicateNode, _ scope: Scope) -> Bool {
        switch predicate {
        case .constant, .block: false
        case .comparison(let comparison):
            finds(in: comparison.left, scope) || finds(in: comparison.right, scope)
        case .compound(_, let operands): operands.contains { finds(in: $0, scope) }
        }
    }

    func finds(in expression: ExpressionNode, _ scope: Scope) -> Bool {
        switch expression {
        case .constant, .evaluatedObject, .variable, .anyKey: return false
        case .keyPath(let operand, let keys):
            var isFound = false
            _ = resolver.walk(keys.map(unmarked), from: end(of: operand, scope)) { position, meaning in
                if keys[position] == marker, meaning == wanted { isFound = true }
            }
            return isFound || finds(in: operand, scope)
        case .function(let operand, _, let arguments):
            return operand.map { finds(in: $0, scope) } ?? false
                || arguments.contains { finds(in: $0, scope) }
        case .aggregate(let elements): return elements.contains { finds(in: $0, scope) }
        case .subquery(let collection, let variable, let predicate):
            var inner = scope
            inner.variables[variable] = end(of: collection, scope)
            return finds(in: collection, scope) || finds(in: predicate, inner)
        case .unionSet(let left, let right), .intersectSet(let left, let right),
            .minusSet(let left, let right):
            return finds(in: left, scope) || finds(in: right, scope)
        case .conditional(let predicate, let first, let second):
            return finds(in: predicate, scope) || finds(in: first, scope) || finds(in: second, scope)
        case .fetch(let request, let context, _):
            return finds(in: request, scope) || finds(in: context, scope)
        case .block(_, let arguments): return arguments.contains { finds(in: $0, scope) }
        }
    }

    /// Returns what an expression leads to, if it leads to objects.
    private func end(of expression: ExpressionNode, _ scope: Scope) -> KeyOwner? {
        switch expression {
        case .evaluatedObject: scope.object
        case .variable(let name): scope.variables[name]
        case .keyPath(let operand, let keys): resolver.walk(keys.map(unmarked), from: end(of: operand, scope))
        case .subquery(let collection, _, _): end(of: collection, scope)
        case .function(_, "objectFrom:withIndex:", let arguments):
            arguments.first.flatMap { end(of: $0, scope) }
        case .unionSet(let left, _), .intersectSet(let left, _), .minusSet(let left, _): end(of: left, scope)
        default: nil
        }
    }

    private func unmarked(_ key: String) -> String { key == marker ? wanted.name : key }
}
