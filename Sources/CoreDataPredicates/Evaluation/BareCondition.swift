package import Synchronization

/// A condition on an object that reads the object's values in place, without boxing them. It consists of
/// comparisons of keys with constants, as most predicates do, joined by `AND`, `OR` and `NOT`.
///
/// The comparisons form a list, and each contains the position of the next one, so that no tree has to be
/// walked. The list is in memory of its own, which is read without reference counting.
@usableFromInline package final class BareCondition: @unchecked Sendable {
    @usableFromInline let steps: UnsafeMutablePointer<BareStep>
    @usableFromInline let start: BareStep.Target
    private let count: Int

    /// Makes the condition of a predicate; nil if any part needs the general evaluation, since the whole
    /// predicate then needs it.
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

        /// Appends the comparisons of a predicate, the last one first, since each must contain the position
        /// of the next. Returns the step with which the predicate begins.
        mutating func append(
            _ predicate: PredicateNode, ifTrue: BareStep.Target, ifFalse: BareStep.Target
        ) -> BareStep.Target? {
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
                    guard let first = append(operand, ifTrue: start, ifFalse: ifFalse) else { return nil }
                    start = first
                }
                return start
            case .compound(.or, let operands):
                var start = ifFalse
                for operand in operands.reversed() {
                    guard let first = append(operand, ifTrue: ifTrue, ifFalse: start) else { return nil }
                    start = first
                }
                return start
            // A negation is false if any of its operands is true.
            case .compound(.not, let operands):
                return append(.compound(.or, operands), ifTrue: ifFalse, ifFalse: ifTrue)
            }
        }
    }

    /// Returns whether the condition holds; nil if some value is of an unexpected kind or cannot be read in
    /// place. The caller then uses the general evaluation, which handles every case.
    ///
    /// Inlined into code that knows where the values are: the less work there is between two objects, the
    /// earlier the processor reads the memory of the next one.
    ///
    /// - Parameter read: Returns the object's value for a key.
    @inlinable @inline(__always)
    package func holds(reading read: (borrowing BareKey) -> BareValue) -> Bool? {
        var target = start
        while target >= 0 {
            let step = steps + target
            guard let answer = BareStep.answer(at: step, for: read(step.pointee.key)) else { return nil }
            target = answer ? step.pointee.ifTrue : step.pointee.ifFalse
        }
        return target == BareStep.holds
    }
}

/// A comparison with the steps that follow it.
@usableFromInline struct BareStep: ~Copyable {
    /// The number of the comparison that follows, or a negative number for a final answer.
    @usableFromInline typealias Target = Int

    @inlinable static var holds: Target { -1 }
    static var fails: Target { -2 }

    @usableFromInline let key: BareKey
    /// The constant of the test if it is an integer, as most are, and the accepted orders. `test` contains
    /// both as well.
    @usableFromInline let integer: Int64?
    @usableFromInline let accepted: AcceptedOrder
    fileprivate let test: BareTest
    @usableFromInline let ifTrue: Target
    @usableFromInline let ifFalse: Target

    fileprivate init(key: consuming BareKey, test: consuming BareTest, ifTrue: Target, ifFalse: Target) {
        self.key = key
        integer = test.integer
        accepted = test.accepted
        self.test = test
        self.ifTrue = ifTrue
        self.ifFalse = ifFalse
    }

    /// Returns the answer of a step; nil for a value that the test does not handle.
    @inlinable @inline(__always)
    static func answer(at step: UnsafeMutablePointer<BareStep>, for value: BareValue) -> Bool? {
        if let constant = step.pointee.integer, case .integer(let value) = value {
            return step.pointee.accepted.contains(AcceptedOrder(value, constant))
        }
        return otherAnswer(at: step, for: value)
    }

    /// Returns the answer for values other than integers. It takes a pointer, since passing the step itself
    /// would copy it.
    @usableFromInline
    static func otherAnswer(at step: UnsafeMutablePointer<BareStep>, for value: BareValue) -> Bool? {
        step.pointee.test.holds(for: value)
    }
}

/// A key that a condition reads from many objects. An object may cache in it where the value is stored.
@usableFromInline package struct BareKey: ~Copyable, Sendable {
    package let name: String
    /// The cached position, 0 at first. It is one word, so that threads that write it at the same time all
    /// read a complete one.
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
    /// The keys of a path that begins at the evaluated object and leads only through properties; nil for any
    /// other expression.
    var propertyNames: [String]? {
        guard case .keyPath(.evaluatedObject, let keys) = self,
            keys.allSatisfy({ !$0.hasPrefix("@") && $0.lowercased() != "self" })
        else { return nil }
        return keys
    }
}
