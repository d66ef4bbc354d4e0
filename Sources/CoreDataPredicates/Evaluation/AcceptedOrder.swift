/// The orders of a value relative to a constant for which a comparison holds.
@frozen @usableFromInline struct AcceptedOrder: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable static var less: AcceptedOrder { AcceptedOrder(rawValue: 1) }
    @inlinable static var equal: AcceptedOrder { AcceptedOrder(rawValue: 2) }
    @inlinable static var greater: AcceptedOrder { AcceptedOrder(rawValue: 4) }
    /// No order, because one side is not a number.
    static var unordered: AcceptedOrder { AcceptedOrder(rawValue: 8) }
    /// No value.
    static var null: AcceptedOrder { AcceptedOrder(rawValue: 16) }

    @inlinable init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Makes the order of two values.
    @inlinable @inline(__always)
    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .less : left == right ? .equal : .greater
    }

    init(_ order: Int?) {
        guard let order else {
            self = .unordered
            return
        }
        self = order < 0 ? .less : order == 0 ? .equal : .greater
    }

    /// Makes the orders that an operator accepts; nil for an operator that does not depend on the order.
    init?(_ operator: ComparisonOperator) {
        self = []
        if `operator`.accepts(-1) { insert(.less) }
        if `operator`.accepts(0) { insert(.equal) }
        if `operator`.accepts(1) { insert(.greater) }
        if isEmpty { return nil }
        if `operator` == .notEqualTo { formUnion([.unordered, .null]) }
    }
}
