import CoreDataPredicates
import Foundation
import Synchronization

/// A predicate with the closures that run it. Predicates make it when they are first asked about an object: most only
/// ever go to stores.
final class CompiledPredicate: Sendable {
    private let node: PredicateNode
    /// Nil if the predicate cannot be evaluated, for the reason that is given. Not one result, which would be copied each
    /// time.
    private let evaluator: NodeEvaluator?
    private let reason: String

    init(_ node: PredicateNode) {
        self.node = node
        do throws(EvaluationError) {
            (evaluator, reason) = (try NodeEvaluator(node), "")
        } catch {
            (evaluator, reason) = (nil, "\(error)")
        }
    }

    /// Traps on what cannot be evaluated, as Apple's framework does.
    func matches(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        guard let evaluator else { stop(reason) }
        do throws(EvaluationError) {
            // Most are, and every other question about a value costs a look at what it conforms to.
            let managed = NSManagedObject.unboxed(object)
            if let managed, variables == nil { return try evaluator.matches(managed) }
            return try evaluator.matches(
                managed.map(ExpressionValue.object) ?? ExpressionValue(boxing: object),
                variables: ExpressionValue.variables(variables))
        } catch {
            stop("\(error)")
        }
    }

    private func stop(_ reason: String) -> Never { programmerError("\(reason), in the predicate \(node)") }
}

/// Where a predicate keeps what it was compiled to.
struct CompiledOnce: ~Copyable, Sendable {
    private let compiled = Mutex<CompiledPredicate?>(nil)

    func predicate(_ node: @autoclosure () -> PredicateNode) -> CompiledPredicate {
        compiled.withLock { compiled in
            if let compiled { return compiled }
            let made = CompiledPredicate(node())
            compiled = made
            return made
        }
    }
}

extension ExpressionValue {
    /// Substitution variables as values.
    static func variables(_ variables: [String: Any]?) -> [String: ExpressionValue] {
        guard let variables, !variables.isEmpty else { return [:] }
        return variables.mapValues { ExpressionValue(boxing: $0) }
    }
}
