import CoreDataPredicates
import CoreDataValues
import Foundation
import Testing

/// An object with one value, which it returns unwrapped if requested.
private final class Holder: KeyedValues {
    let value: AttributeValue
    let isBare: Bool

    init(_ value: AttributeValue, isBare: Bool) {
        self.value = value
        self.isBare = isBare
    }

    var identity: AnyHashable { ObjectIdentifier(self) }
    var rowReference: ObjectReference? { ObjectReference(entity: 0, key: 1) }
    func expressionValue(forKey key: String) -> ExpressionValue { .value(value) }

    func meets(_ condition: BareCondition) -> Bool? {
        guard isBare else { return nil }
        if case .string(var text) = value {
            return text.withUTF8 { utf8 in condition.holds { _ in .text(utf8) } }
        }
        return condition.holds { _ in
            switch value {
            case .null: .null
            case .boolean(let flag): .integer(flag ? 1 : 0)
            case .integer(let number): .integer(number)
            case .double(let number): .double(number)
            case .date(let date): .date(date.timeIntervalSinceReferenceDate)
            default: .other
            }
        }
    }
}

/// An object with a to-many relationship, `members`, whose members are read unwrapped if requested.
private final class Owner: KeyedValues {
    let members: [Holder]
    let isOrdered: Bool
    let isBare: Bool

    init(_ values: [AttributeValue], isOrdered: Bool, isBare: Bool) {
        members = values.map { Holder($0, isBare: isBare) }
        self.isOrdered = isOrdered
        self.isBare = isBare
    }

    var identity: AnyHashable { ObjectIdentifier(self) }
    var rowReference: ObjectReference? { nil }
    func expressionValue(forKey key: String) -> ExpressionValue {
        .collection(members.map(ExpressionValue.object), isOrdered: isOrdered)
    }

    func memberCount(forKey key: String, meeting condition: BareCondition?, upTo limit: Int) -> Int? {
        guard isBare else { return nil }
        var count = 0
        for member in members {
            guard let meets = condition.map(member.meets) ?? true else { return nil }
            if meets { count += 1 }
            if count == limit { break }
        }
        return count
    }
}

@Suite("Conditions on unboxed values")
struct BareConditionTests {
    private static let values: [AttributeValue] = [
        .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(-1), .integer(.max),
        .integer(1 << 53 + 1), .double(0), .double(-0.0), .double(1), .double(0.5), .double(.nan),
        .double(.infinity), .double(0x1p53), .double(0x1p63), .decimal(1), .decimal(0.5),
        .decimal(Decimal.nan),
        .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: 1)),
        .date(Date(timeIntervalSinceReferenceDate: .nan)), .string(""), .string("1"), .string("Straße"),
        .string("STRASSE"), .string("é"), .string("e\u{301}"), .string("a longer text, É included"),
        .uuid(UUID()), .data(Data([1])),
    ]

    private static let operators: [ComparisonOperator] = [
        .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
        .beginsWith,
        .endsWith, .contains, .like,
    ]

    private static let options: [ComparisonOptions] = [
        [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
    ]

    /// Returns a description of a value; Foundation traps when it describes an invalid date.
    private func text(_ value: AttributeValue) -> String {
        if case .date(let date) = value { return "date \(date.timeIntervalSinceReferenceDate)" }
        return "\(value)"
    }

    /// Returns nil if the evaluation throws.
    private func answer(_ predicate: PredicateNode, _ value: AttributeValue, isBare: Bool) -> Bool? {
        try? NodeEvaluator(predicate).matches(Holder(value, isBare: isBare))
    }

    @Test("Every comparison of a key with a constant has the same result as on boxed values")
    func comparisons() {
        for relation in Self.operators {
            for right in Self.values {
                for options in Self.options {
                    let predicate = compare(key("a"), relation, constant(right), options: options)
                    for left in Self.values {
                        #expect(
                            answer(predicate, left, isBare: true) == answer(predicate, left, isBare: false),
                            "\(text(left)): \(predicate)")
                    }
                }
            }
        }
    }

    @Test("Compounds have the same result as on boxed values, even with other kinds of operands")
    func compounds() {
        let parts: [PredicateNode] = [
            compare(key("a"), .greaterThan, integer(0)), compare(key("a"), .contains, string("e")),
            compare(key("a"), .equalTo, constant(.null)), compare(key("a"), .equalTo, key("a")),
            .constant(true),
        ]
        var predicates: [PredicateNode] = [.compound(.and, []), .compound(.or, []), .compound(.not, [])]
        for first in parts {
            predicates.append(.compound(.not, [first]))
            for second in parts {
                for third in parts {
                    predicates.append(.compound(.and, [first, .compound(.or, [second, third])]))
                    predicates.append(.compound(.or, [first, .compound(.not, [second]), third]))
                    predicates.append(.compound(.not, [first, second, third]))
                }
            }
        }
        for predicate in predicates {
            for value in Self.values {
                #expect(
                    answer(predicate, value, isBare: true) == answer(predicate, value, isBare: false),
                    "\(text(value)): \(predicate)")
            }
        }
    }

    @Test("ANY, ALL and a SUBQUERY's count have the same result as on boxed members")
    func members() {
        let values = Self.values.filter { $0 != .decimal(Decimal.nan) }
        let families =
            [[], values] + values.map { [$0] } + values.map { [$0, .null, values[0]] }
        let pairs = families.flatMap { family in
            [false, true].map { isOrdered in
                [true, false].map { Owner(family, isOrdered: isOrdered, isBare: $0) }
            }
        }
        for relation in Self.operators {
            for right in values {
                let test = compare(.keyPath(operand: .variable("m"), keys: ["a"]), relation, constant(right))
                let predicates = [
                    compare(key("members.a"), relation, constant(right), modifier: .any),
                    compare(key("members.a"), relation, constant(right), modifier: .all),
                    compare(
                        .keyPath(
                            operand: .subquery(collection: key("members"), variable: "m", predicate: test),
                            keys: ["@count"]),
                        .greaterThan, integer(1)),
                ]
                for predicate in predicates {
                    let evaluator = try? NodeEvaluator(predicate)
                    for pair in pairs {
                        let answers = pair.map { try? evaluator?.matches($0) }
                        #expect(
                            answers[0] == answers[1],
                            "\(pair[0].members.map { text($0.value) }): \(predicate)")
                    }
                }
            }
        }
    }

    @Test("A compound of very many operands does not exhaust a thread's stack")
    func manyParts() async throws {
        let parts = (0..<100_000).map { compare(key("a"), .equalTo, integer(Int64($0))) }
        for isBare in [true, false] {
            let holder = Holder(.integer(99_999), isBare: isBare)
            #expect(try NodeEvaluator(.compound(.or, parts)).matches(holder))
            #expect(try !NodeEvaluator(.compound(.and, parts)).matches(holder))
        }
    }
}
