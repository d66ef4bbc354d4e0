import CoreDataPredicates
import Foundation
import Synchronization

/// A predicate compiled to closures.
///
/// Predicates make it when they first test an object, since most are only passed to stores.
final class CompiledPredicate: Sendable {
    private let node: PredicateNode
    /// The closures; nil if the predicate cannot be evaluated, for the reason in `reason`.
    ///
    /// Not one `Result`, which would be copied at each test.
    private let evaluator: NodeEvaluator?
    private let reason: String
    /// The condition of the evaluator, where it is simple enough to be tested without counting a reference.
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

    /// Returns whether an object matches.
    ///
    /// Traps on what cannot be evaluated, as Apple's framework raises an exception.
    @inline(__always)
    func matches(_ object: Any?, _ variables: [String: Any]?) -> Bool {
        // Most objects are managed ones. A bare condition has no variables.
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
            // Boxing asks what the value conforms to, so managed objects are looked for first.
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

/// A slot for a compiled predicate: filled at first use, then read without a lock and without counting a
/// reference.
struct CompiledOnce: ~Copyable, Sendable {
    private let compiled = Atomic<Unmanaged<CompiledPredicate>?>(nil)

    deinit { compiled.load(ordering: .acquiring)?.release() }

    /// Returns whether an object matches, given the predicate as a tree.
    @inline(__always)
    func matches(
        _ object: Any?, _ variables: [String: Any]?, _ node: @autoclosure () -> PredicateNode
    ) -> Bool {
        (compiled.load(ordering: .acquiring) ?? compile(node()))._withUnsafeGuaranteedRef {
            $0.matches(object, variables)
        }
    }

    /// Compiles the predicate.
    ///
    /// Several threads may compile it at the same time; the first result is kept.
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
    /// Returns substitution variables as values.
    static func variables(_ variables: [String: Any]?) -> [String: ExpressionValue] {
        guard let variables, !variables.isEmpty else { return [:] }
        return variables.mapValues { ExpressionValue(boxing: $0) }
    }
}
