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
    /// That of the evaluator, where it is at hand without a reference that is counted.
    private let bare: Unmanaged<BareCondition>?

    init(_ node: PredicateNode) {
        self.node = node
        do throws(EvaluationError) {
            (evaluator, reason) = (try NodeEvaluator(node), "")
        } catch {
            (evaluator, reason) = (nil, "\(error)")
        }
        bare = evaluator?.bare.map(Unmanaged.passUnretained)
    }

    /// Traps on what cannot be evaluated, as Apple's framework does.
    @inline(__always)
    func matches(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        // Most are asked of a managed object. Variables are no part of what is bare.
        if let bare, let managed = NSManagedObject.unretained(object),
            let answer = managed._withUnsafeGuaranteedRef({ object in
                bare._withUnsafeGuaranteedRef { object.meets($0) }
            })
        {
            return answer
        }
        return evaluate(object, variables)
    }

    @inline(never)
    private func evaluate(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        guard let evaluator else { stop(reason) }
        do throws(EvaluationError) {
            // Every other question about a value costs a look at what it conforms to.
            let managed = NSManagedObject.unboxed(object)
            return try evaluator.matches(
                managed.map(ExpressionValue.object) ?? ExpressionValue(boxing: object),
                variables: ExpressionValue.variables(variables))
        } catch {
            stop("\(error)")
        }
    }

    private func stop(_ reason: String) -> Never { programmerError("\(reason), in the predicate \(node)") }
}

/// Where a predicate keeps what it was compiled to: made at first use, then read without a lock or a reference that is
/// counted.
struct CompiledOnce: ~Copyable, Sendable {
    private let compiled = Atomic<Unmanaged<CompiledPredicate>?>(nil)

    deinit { compiled.load(ordering: .acquiring)?.release() }

    /// Whether an object matches, given what the predicate is as a tree.
    @inline(__always)
    func matches(
        _ object: Any?, _ variables: [String: Any]?, _ node: @autoclosure () -> PredicateNode
    ) -> Bool {
        (compiled.load(ordering: .acquiring) ?? compile(node()))._withUnsafeGuaranteedRef {
            $0.matches(object, variables)
        }
    }

    /// Threads that race to it may each compile the predicate; what one of them made is kept.
    @inline(never)
    private func compile(_ node: PredicateNode) -> Unmanaged<CompiledPredicate> {
        let made = Unmanaged.passRetained(CompiledPredicate(node))
        let (isFirst, first) = compiled.compareExchange(
            expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard !isFirst, let first else { return made }
        made.release()
        return first
    }
}

extension ExpressionValue {
    /// Substitution variables as values.
    static func variables(_ variables: [String: Any]?) -> [String: ExpressionValue] {
        guard let variables, !variables.isEmpty else { return [:] }
        return variables.mapValues { ExpressionValue(boxing: $0) }
    }
}
