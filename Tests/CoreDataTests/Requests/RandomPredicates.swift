import CoreDataPredicates
import Foundation

/// A seeded source of numbers: the same predicates in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

/// Predicate formats about the people of `RandomGraph`, nested at random.
///
/// Left out on purpose, since Apple's framework itself answers differently in SQL and in memory (the article on
/// predicates lists them):
/// - NOT around a comparison that may meet null: SQL's unknown stays unknown, in memory false becomes true. NOT
///   stands here only around what is never unknown.
/// - ALL, and ANY with `!=`, over values of which some are null: a set of values in memory has no nulls, rows have.
/// - Aggregates other than `@count` and `@sum` over nothing: NULL in SQL; in memory `@avg` is 0.
/// - Division, which may be by zero.
struct RandomPredicates {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> String { condition(depth: Int.random(in: 0...3, using: &random)) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: Conditions

    private mutating func condition(depth: Int, of subject: Subject = .person) -> String {
        guard depth > 0 else { return comparison(subject) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            return
                "(\(condition(depth: depth - 1, of: subject)) AND \(condition(depth: depth - 1, of: subject)))"
        case 4...7:
            return
                "(\(condition(depth: depth - 1, of: subject)) OR \(condition(depth: depth - 1, of: subject)))"
        default: return "NOT (\(certain(subject)))"
        }
    }

    /// Never unknown, whatever is null.
    private mutating func certain(_ subject: Subject) -> String {
        let prefix = subject.prefix
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "\(prefix)\(pick(Self.texts)) == nil"
        case 1: return "\(prefix)\(pick(Self.texts)) != \(text())"
        case 2: return "\(prefix)id \(pick(Self.orders)) \(Int.random(in: 0...24, using: &random))"
        case 3: return "\(prefix)friends.@count \(pick(Self.orders)) \(pick([0, 1, 2, 3]))"
        default: return quantified(subject)
        }
    }

    private mutating func comparison(_ subject: Subject) -> String {
        let prefix = subject.prefix
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: return "\(prefix)\(pick(Self.numbers)) \(pick(Self.orders)) \(number())"
        case 2: return "\(number()) \(pick(Self.orders)) \(prefix)\(pick(Self.numbers))"
        case 3: return "\(prefix)\(pick(Self.numbers)) \(pick(Self.orders)) \(prefix)\(pick(Self.numbers))"
        case 4, 5:
            return "\(prefix)\(pick(Self.texts)) \(pick(Self.orders))\(pick(Self.options)) \(text())"
        case 6, 7:
            let search = pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"])
            if search != "LIKE", chance(20) {
                return "\(prefix)name \(search)\(pick(Self.options)) \(prefix)\(pick(Self.texts))"
            }
            return
                "\(prefix)\(pick(Self.texts)) \(search)\(pick(Self.options)) \(text(isPattern: search == "LIKE"))"
        case 8: return "\(prefix)\(pick(Self.texts)) MATCHES\(pick(["", "[c]"])) \(pick(Self.patterns))"
        case 9:
            return "\(prefix)\(pick(Self.texts + Self.numbers + ["boss", "born"])) \(pick(["==", "!="])) nil"
        case 10:
            let list = (0..<Int.random(in: 0...12, using: &random)).map { _ in number() }
            return "\(prefix)\(pick(Self.numbers)) IN {\(list.joined(separator: ", "))}"
        case 11:
            let list = (0..<Int.random(in: 1...3, using: &random)).map { _ in text() }
            return
                "\(prefix)\(pick(Self.texts)) IN\(pick(["", "[c]", "[cd]"])) {\(list.joined(separator: ", "))}"
        case 12: return "\(prefix)\(pick(Self.numbers)) BETWEEN {\(number()), \(number())}"
        case 13: return quantified(subject)
        case 14:
            return
                "\(prefix)\(pick(["friends", "reports"])).@count \(pick(Self.orders)) \(pick([0, 1, 2, 3]))"
        case 15: return "\(prefix)reports.@sum.age \(pick(Self.orders)) \(number())"
        case 16 where subject == .person:
            let variable = Subject.variable
            let collection = pick(["friends", "reports", "boss.friends"])
            return "SUBQUERY(\(collection), $x, \(condition(depth: 1, of: variable))).@count "
                + "\(pick(Self.orders)) \(pick([0, 1, 2]))"
        case 17:
            let symbol = pick(["+", "-", "*"])
            return "\(prefix)\(pick(Self.numbers)) \(symbol) \(pick(["id", "age", "2", "-1"])) "
                .replacingOccurrences(of: "\(symbol) id", with: "\(symbol) \(prefix)id")
                .replacingOccurrences(of: "\(symbol) age", with: "\(symbol) \(prefix)age")
                + "\(pick(Self.orders)) \(number())"
        case 18:
            let date = "CAST(\(pick([-5, 0, 100, 5000])), \"NSDate\")"
            return "\(prefix)born \(pick(Self.orders)) \(date)"
        default: return "\(prefix)isActive == \(pick(["YES", "NO", "1"]))"
        }
    }

    private mutating func quantified(_ subject: Subject) -> String {
        let path = subject.prefix + pick(["friends", "reports", "boss.reports", "friends.friends"])
        let quantifier = pick(["ANY", "SOME", "NONE"])
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return "\(pick(["ALL", quantifier])) \(path).id \(pick(Self.orders)) \(pick(["3", "12", "20"]))"
        case 1: return "\(quantifier) \(path).name \(pick(["==", "CONTAINS"]))[cd] \(text())"
        default: return "\(quantifier) \(path).age \(pick(["==", "<", "<=", ">", ">="])) \(number())"
        }
    }

    // MARK: Parts

    private enum Subject {
        case person, variable
        var prefix: String { self == .person ? "" : "$x." }
    }

    private static let numbers = ["age", "weight", "id", "boss.age", "boss.boss.age"]
    private static let texts = ["name", "nick", "boss.name", "boss.boss.nick"]
    private static let orders = ["==", "!=", "<", "<=", ">", ">="]
    private static let options = ["", "", "[c]", "[d]", "[cd]"]
    private static let patterns = ["'.*a.*'", "'[A-Z].*'", "''", "'.{3}'", "'é.*|.*o'"]

    private mutating func number() -> String { pick(["-3", "0", "1", "2.5", "7", "30", "-0.5", "20"]) }

    private mutating func text(isPattern: Bool = false) -> String {
        let words =
            isPattern
            ? ["*", "A*", "?o", "*e*", "", "*é", "a??"]
            : RandomGraph.words + ["a", "o", "e", "Zoe", "É", "x"]
        return "'\(pick(words).replacingOccurrences(of: "'", with: "\\'"))'"
    }
}
