import CoreDataValues

/// A condition on an object whose values are read where they lie, without being wrapped: comparisons of its keys with
/// constants, as most are, and what joins them. Nil as the answer for an object says that some value is not what it
/// looked like, or cannot be had bare; the general evaluation, which knows everything, is asked then.
///
/// Objects and no closures: to call one of the latter that lies in another takes a conversion each time.
protocol BareCondition: AnyObject, Sendable {
    func holds(for object: any KeyedValues) -> Bool?
}

// MARK: Conditions joined

/// Two conditions, of which one may decide for both: by being false where both have to hold, by holding where either
/// will do.
final class BareJunction: BareCondition {
    private let first: any BareCondition
    private let second: any BareCondition
    private let decision: Bool

    init(_ first: any BareCondition, _ second: any BareCondition, decidedBy decision: Bool) {
        self.first = first
        self.second = second
        self.decision = decision
    }

    func holds(for object: any KeyedValues) -> Bool? {
        guard let answer = first.holds(for: object) else { return nil }
        return answer == decision ? decision : second.holds(for: object)
    }
}

final class BareNegation: BareCondition {
    private let condition: any BareCondition

    init(_ condition: any BareCondition) {
        self.condition = condition
    }

    func holds(for object: any KeyedValues) -> Bool? {
        condition.holds(for: object).map { !$0 }
    }
}

// MARK: Comparisons

final class BareText: BareCondition {
    private let key: PropertyKey
    private let test: TextTest

    init(_ key: PropertyKey, _ test: TextTest) {
        self.key = key
        self.test = test
    }

    func holds(for object: any KeyedValues) -> Bool? { object.meets(test, for: key) }
}

/// A key compared with nothing.
final class BareAbsence: BareCondition {
    private let key: PropertyKey
    private let answer: Bool

    /// - Parameter answer: Whether null is what is wanted.
    init(_ key: PropertyKey, wanted answer: Bool) {
        self.key = key
        self.answer = answer
    }

    func holds(for object: any KeyedValues) -> Bool? {
        switch object.bareValue(for: key) {
        case .null: answer
        case .integer, .double, .date, .text: !answer
        case .other: nil
        }
    }
}

final class BareInteger: BareCondition {
    private let key: PropertyKey
    private let constant: Int64
    private let accepted: AcceptedOrder

    init(_ key: PropertyKey, _ constant: Int64, _ accepted: AcceptedOrder) {
        self.key = key
        self.constant = constant
        self.accepted = accepted
    }

    func holds(for object: any KeyedValues) -> Bool? {
        switch object.bareValue(for: key) {
        case .integer(let value): accepted.contains(AcceptedOrder(value, constant))
        case .double(let value):
            accepted.contains(AcceptedOrder(PromotedNumber.compare(.double(value), .integer(constant))))
        case .null: accepted.contains(.null)
        case .date, .text, .other: nil
        }
    }
}

final class BareNumber: BareCondition {
    private let key: PropertyKey
    private let constant: PromotedNumber
    private let accepted: AcceptedOrder

    init(_ key: PropertyKey, _ constant: PromotedNumber, _ accepted: AcceptedOrder) {
        self.key = key
        self.constant = constant
        self.accepted = accepted
    }

    func holds(for object: any KeyedValues) -> Bool? {
        switch object.bareValue(for: key) {
        case .integer(let value):
            accepted.contains(AcceptedOrder(PromotedNumber.compare(.integer(value), constant)))
        case .double(let value):
            accepted.contains(AcceptedOrder(PromotedNumber.compare(.double(value), constant)))
        case .null: accepted.contains(.null)
        case .date, .text, .other: nil
        }
    }
}

final class BareDate: BareCondition {
    private let key: PropertyKey
    /// Seconds since 2001.
    private let constant: Double
    private let accepted: AcceptedOrder

    /// - Parameter constant: A number.
    init(_ key: PropertyKey, _ constant: Double, _ accepted: AcceptedOrder) {
        self.key = key
        self.constant = constant
        self.accepted = accepted
    }

    func holds(for object: any KeyedValues) -> Bool? {
        switch object.bareValue(for: key) {
        case .date(let value) where !value.isNaN: accepted.contains(AcceptedOrder(value, constant))
        case .null: accepted.contains(.null)
        case .date, .integer, .double, .text, .other: nil
        }
    }
}

/// How a value may lie to a constant for a comparison to hold.
struct AcceptedOrder: OptionSet, Sendable {
    let rawValue: UInt8

    static let less = AcceptedOrder(rawValue: 1)
    static let equal = AcceptedOrder(rawValue: 2)
    static let greater = AcceptedOrder(rawValue: 4)
    /// Neither: one of them is no number.
    static let unordered = AcceptedOrder(rawValue: 8)
    /// There is no value.
    static let null = AcceptedOrder(rawValue: 16)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// How one lies to the other.
    @inline(__always)
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
