package import Synchronization

/// A condition on an object whose values are read where they lie, without being wrapped: comparisons of its keys with
/// constants, as most are, and what joins them.
///
/// The comparisons stand in a row, each with where to go on, so that a condition is no tree to walk. They lie in memory
/// of its own, where they are read without a reference being counted.
package final class BareCondition: @unchecked Sendable {
    /// Where to go on: at a comparison, by its number, or nowhere, the answer being known.
    fileprivate typealias Place = Int

    private static let holds: Place = -1
    private static let fails: Place = -2

    private let steps: UnsafeMutablePointer<BareStep>
    private var count = 0
    private var start = holds

    /// Nil where a part has to be evaluated generally, for then the whole has.
    init?(_ predicate: PredicateNode) {
        steps = .allocate(capacity: predicate.comparisonCount)
        guard let start = append(predicate, ifTrue: Self.holds, ifFalse: Self.fails) else { return nil }
        self.start = start
    }

    deinit {
        steps.deinitialize(count: count)
        steps.deallocate()
    }

    /// Adds what a predicate asks, the last of it first, since each comparison has to know where to go on. Returns where
    /// the predicate begins.
    private func append(_ predicate: PredicateNode, ifTrue: Place, ifFalse: Place) -> Place? {
        switch predicate {
        case .constant(let value): return value ? ifTrue : ifFalse
        case .block: return nil
        case .comparison(let comparison):
            guard let key = comparison.bareKey, let test = BareTest(comparison) else { return nil }
            (steps + count).initialize(
                to: BareStep(key: BareKey(key), test: test, ifTrue: ifTrue, ifFalse: ifFalse))
            count += 1
            return count - 1
        case .compound(.and, let operands):
            var start = ifTrue
            for operand in operands.reversed() {
                guard let place = append(operand, ifTrue: start, ifFalse: ifFalse) else { return nil }
                start = place
            }
            return start
        case .compound(.or, let operands):
            var start = ifFalse
            for operand in operands.reversed() {
                guard let place = append(operand, ifTrue: ifTrue, ifFalse: start) else { return nil }
                start = place
            }
            return start
        // What is negated is false if any part is true.
        case .compound(.not, let operands):
            return append(.compound(.or, operands), ifTrue: ifFalse, ifFalse: ifTrue)
        }
    }

    /// Nil says that some value is not what it looked like, or cannot be had bare; the general evaluation, which knows
    /// everything, is asked then.
    /// - Parameter read: The value of a key of the object.
    package func holds(reading read: (borrowing BareKey) -> BareValue) -> Bool? {
        var place = start
        while place >= 0 {
            let step = steps + place
            guard let answer = step.pointee.test.holds(for: read(step.pointee.key)) else { return nil }
            place = answer ? step.pointee.ifTrue : step.pointee.ifFalse
        }
        return place == Self.holds
    }
}

/// A comparison, and where to go on after it.
private struct BareStep: ~Copyable {
    let key: BareKey
    let test: BareTest
    let ifTrue: BareCondition.Place
    let ifFalse: BareCondition.Place
}

/// A key that a condition reads of object after object. Whoever answers for it may remember in it where the value lies.
package struct BareKey: ~Copyable, Sendable {
    package let name: String
    /// 0 at first. One word, so that threads that race to fill it all see a whole one.
    package let memo = Atomic<UInt64>(0)

    fileprivate init(_ name: String) {
        self.name = name
    }
}

extension PredicateNode {
    fileprivate var comparisonCount: Int {
        switch self {
        case .comparison: 1
        case .constant, .block: 0
        case .compound(_, let operands): operands.reduce(0) { $0 + $1.comparisonCount }
        }
    }
}

extension ComparisonNode {
    /// The key that is compared with a constant; nil for any other comparison.
    fileprivate var bareKey: String? {
        guard modifier == .direct, case .keyPath(.evaluatedObject, let keys) = left, keys.count == 1,
            !keys[0].hasPrefix("@"), keys[0].lowercased() != "self", case .constant = right
        else { return nil }
        return keys[0]
    }
}
