package import Synchronization

/// A condition on an object whose values are read where they lie, without being wrapped: comparisons of its keys with
/// constants, as most are, and what joins them.
///
/// The comparisons stand in a row, each with where to go on, so that a condition is no tree to walk. They lie in memory
/// of its own, where they are read without a reference being counted.
@usableFromInline package final class BareCondition: @unchecked Sendable {
    @usableFromInline let steps: UnsafeMutablePointer<BareStep>
    @usableFromInline let start: BareStep.Place
    private let count: Int

    /// Nil where a part has to be evaluated generally, for then the whole has.
    init?(_ predicate: PredicateNode) {
        var builder = Builder(capacity: predicate.comparisonCount)
        let start = builder.append(predicate, ifTrue: BareStep.holds, ifFalse: BareStep.fails)
        (steps, count, self.start) = (builder.steps, builder.count, start ?? BareStep.fails)
        if start == nil { return nil }
    }

    deinit {
        steps.deinitialize(count: count)
        steps.deallocate()
    }

    private struct Builder {
        let steps: UnsafeMutablePointer<BareStep>
        private(set) var count = 0

        init(capacity: Int) {
            steps = .allocate(capacity: capacity)
        }

        /// Adds what a predicate asks, the last of it first, since each comparison has to know where to go on. Returns
        /// where the predicate begins.
        mutating func append(
            _ predicate: PredicateNode, ifTrue: BareStep.Place, ifFalse: BareStep.Place
        ) -> BareStep.Place? {
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
    }

    /// Nil says that some value is not what it looked like, or cannot be had bare; the general evaluation, which knows
    /// everything, is asked then.
    ///
    /// Inlined where the values are known to lie: what is done between two objects decides how far ahead the processor
    /// reads the memory of the next.
    /// - Parameter read: The value of a key of the object.
    @inlinable @inline(__always)
    package func holds(reading read: (borrowing BareKey) -> BareValue) -> Bool? {
        var place = start
        while place >= 0 {
            let step = steps + place
            guard let answer = BareStep.answer(at: step, for: read(step.pointee.key)) else { return nil }
            place = answer ? step.pointee.ifTrue : step.pointee.ifFalse
        }
        return place == BareStep.holds
    }
}

/// A comparison, and where to go on after it.
@usableFromInline struct BareStep: ~Copyable {
    /// Where to go on: at a comparison, by its number, or nowhere, the answer being known.
    @usableFromInline typealias Place = Int

    @inlinable static var holds: Place { -1 }
    static var fails: Place { -2 }

    @usableFromInline let key: BareKey
    /// The constant of the test, if it is an integer, as most are, and what is accepted of others.
    @usableFromInline let integer: Int64?
    @usableFromInline let accepted: AcceptedOrder
    fileprivate let test: BareTest
    @usableFromInline let ifTrue: Place
    @usableFromInline let ifFalse: Place

    fileprivate init(key: consuming BareKey, test: consuming BareTest, ifTrue: Place, ifFalse: Place) {
        self.key = key
        integer = test.integer
        accepted = test.accepted
        self.test = test
        self.ifTrue = ifTrue
        self.ifFalse = ifFalse
    }

    /// Nil for a value that the test does not know.
    @inlinable @inline(__always)
    static func answer(at step: UnsafeMutablePointer<BareStep>, for value: BareValue) -> Bool? {
        if let constant = step.pointee.integer, case .integer(let value) = value {
            return step.pointee.accepted.contains(AcceptedOrder(value, constant))
        }
        return otherAnswer(at: step, for: value)
    }

    /// Of the step where it lies: to hand it over would copy it.
    @usableFromInline
    static func otherAnswer(at step: UnsafeMutablePointer<BareStep>, for value: BareValue) -> Bool? {
        step.pointee.test.holds(for: value)
    }
}

/// A key that a condition reads of object after object. Whoever answers for it may remember in it where the value lies.
@usableFromInline package struct BareKey: ~Copyable, Sendable {
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
        guard modifier == .direct, let keys = left.propertyNames, keys.count == 1, case .constant = right
        else { return nil }
        return keys[0]
    }
}

extension ExpressionNode {
    /// The keys of a path that begins at the evaluated object and goes through nothing but properties.
    var propertyNames: [String]? {
        guard case .keyPath(.evaluatedObject, let keys) = self,
            keys.allSatisfy({ !$0.hasPrefix("@") && $0.lowercased() != "self" })
        else { return nil }
        return keys
    }
}
