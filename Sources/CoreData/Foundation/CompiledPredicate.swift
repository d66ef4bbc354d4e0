import CoreDataPredicates
import Foundation
import Synchronization

/// A predicate with the closures that run it, made when it is first asked: most predicates only ever go to stores.
final class CompiledPredicate: Sendable {
    private let node: PredicateNode
    private let evaluator = Mutex<NodeEvaluator?>(nil)

    init(_ node: PredicateNode) {
        self.node = node
    }

    /// Traps on what cannot be evaluated, as Apple's framework does.
    func matches(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        do throws(EvaluationError) {
            return try made().matches(
                // Most are, and every other question about a value costs a look at what it conforms to.
                (object as? NSManagedObject).map(ExpressionValue.object) ?? ExpressionValue(boxing: object),
                variables: ExpressionValue.variables(variables))
        } catch {
            programmerError("\(error), in the predicate \(node)")
        }
    }

    private func made() throws(EvaluationError) -> NodeEvaluator {
        if let known = evaluator.withLock({ $0 }) { return known }
        let made = try NodeEvaluator(node)
        evaluator.withLock { $0 = made }
        return made
    }
}

extension ExpressionValue {
    /// Substitution variables as values.
    static func variables(_ variables: [String: Any]?) -> [String: ExpressionValue] {
        guard let variables, !variables.isEmpty else { return [:] }
        return variables.mapValues { ExpressionValue(boxing: $0) }
    }
}
