/// How a value may lie to a constant for a comparison to hold.
@frozen @usableFromInline struct AcceptedOrder: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable static var less: AcceptedOrder { AcceptedOrder(rawValue: 1) }
    @inlinable static var equal: AcceptedOrder { AcceptedOrder(rawValue: 2) }
    @inlinable static var greater: AcceptedOrder { AcceptedOrder(rawValue: 4) }
    /// Neither: one of them is no number.
    static var unordered: AcceptedOrder { AcceptedOrder(rawValue: 8) }
    /// There is no value.
    static var null: AcceptedOrder { AcceptedOrder(rawValue: 16) }

    @inlinable init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// How one lies to the other.
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

    /// Nil for an operator that does not ask for the order.
    init?(_ operator: ComparisonOperator) {
        self = []
        if `operator`.accepts(-1) { insert(.less) }
        if `operator`.accepts(0) { insert(.equal) }
        if `operator`.accepts(1) { insert(.greater) }
        if isEmpty { return nil }
        if `operator` == .notEqualTo { formUnion([.unordered, .null]) }
    }
}
