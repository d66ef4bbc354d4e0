import CoreData
import Foundation

/// Comparisons of values that one object leads to.
extension RandomPredicates {
    static let orders = ["==", "!=", "<", "<=", ">", ">="]

    // MARK: Numbers

    mutating func numbers(_ subject: Subject) -> RandomCondition {
        let left = number(subject, depth: random.number(0...2))
        switch random.number(0...7) {
        case 0:
            let (low, high) = (random.pick([-3, 0, 2]), random.pick([1, 7, 20]))
            return RandomCondition(
                format: "\(left.format) BETWEEN {\(low), \(high)}", arguments: left.arguments,
                isCertain: !left.isOptional)
        case 1:
            let list = (0..<random.number(0...8)).map { _ in random.pick(Self.numberTexts) }
            return RandomCondition(
                format: "\(left.format) IN {\(list.joined(separator: ", "))}", arguments: left.arguments,
                isCertain: !left.isOptional)
        case 2:
            let list = (0..<random.number(0...4)).map { _ in RandomValues.value(.double, &random) }
            return RandomCondition(
                format: "\(left.format) IN %@", arguments: left.arguments + [list],
                isCertain: !left.isOptional)
        default:
            let right = random.chance(70) ? literal() : number(subject, depth: 1)
            return compared(left, random.pick(Self.orders), right)
        }
    }

    static let numberTexts = ["-3", "0", "1", "2.5", "7", "30", "-0.5", "20"]

    mutating func literal() -> RandomOperand {
        random.chance(60)
            ? RandomOperand(format: random.pick(Self.numberTexts), shape: .number)
            : RandomOperand(
                format: "%@", arguments: [RandomValues.value(random.pick(RandomValues.numbers), &random)],
                shape: .number)
    }

    mutating func number(_ subject: Subject, depth: Int) -> RandomOperand {
        let place = path(subject)
        let plain =
            attribute(place) { $0.isNumber }
            ?? RandomOperand(format: place.key("id"), shape: .number, isOptional: place.isOptional)
        guard depth > 0 else { return plain }
        switch random.number(0...8) {
        case 0...2:
            let other = random.chance(50) ? literal() : number(subject, depth: depth - 1)
            return RandomOperand(
                format: "(\(plain.format) \(random.pick(["+", "-", "*"])) \(other.format))",
                arguments: other.arguments, shape: .number, isOptional: plain.isOptional || other.isOptional)
        case 3:
            let name = random.pick(["abs", "floor", "ceiling", "trunc"])
            let inner = number(subject, depth: depth - 1)
            return RandomOperand(
                format: "\(name):(\(inner.format))", arguments: inner.arguments, shape: .number,
                isOptional: inner.isOptional)
        case 4:
            let text = text(subject)
            return RandomOperand(
                format: "length:(\(text.format))", arguments: text.arguments, shape: .number, isOptional: true
            )
        case 5:
            let condition = numbers(subject)
            guard condition.isCertain else { return plain }
            let (yes, no) = (literal(), literal())
            return RandomOperand(
                format: "TERNARY(\(condition.format), \(yes.format), \(no.format))",
                arguments: condition.arguments + yes.arguments + no.arguments, shape: .number)
        case 6:
            return RandomOperand(
                format: "(\(plain.format) / \(random.pick(["2", "-4", "0.5"])))", shape: .number,
                isOptional: plain.isOptional)
        default: return plain
        }
    }

    /// `==` and `!=` with something that is never nil leave nothing unknown only for `!=` in SQL's form here.
    func compared(_ left: RandomOperand, _ order: String, _ right: RandomOperand) -> RandomCondition {
        RandomCondition(
            format: "\(left.format) \(order) \(right.format)", arguments: left.arguments + right.arguments,
            isCertain: !left.isOptional && !right.isOptional)
    }

    // MARK: Texts

    mutating func text(_ subject: Subject) -> RandomOperand {
        let place = path(subject)
        guard let plain = attribute(place, { $0 == .text }) else { return word() }
        guard random.chance(15) else { return plain }
        let name = random.pick(["lowercase", "uppercase", "canonical"])
        return RandomOperand(format: "\(name):(\(plain.format))", shape: .text, isOptional: plain.isOptional)
    }

    mutating func word() -> RandomOperand {
        let words = RandomValues.words + ["a", "o", "e", "Zoe", "É", "x", "n", "\u{308}", "I", "i"]
        return RandomOperand(format: "%@", arguments: [random.pick(words)], shape: .text)
    }

    mutating func texts(_ subject: Subject) -> RandomCondition {
        let left = text(subject)
        let options = random.pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
        switch random.number(0...9) {
        case 0...3:
            let right = random.chance(80) ? word() : text(subject)
            return compared(left, random.pick(Self.orders) + options, right)
        case 4...6:
            let right = random.chance(85) ? word() : text(subject)
            return compared(left, random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS"]) + options, right)
        case 7:
            let pattern = random.pick(
                ["*", "A*", "?o", "*e*", "", "*é", "a??", "a\\*b", "*\\?*", "[a]", "?", "*Z*"])
            return compared(
                left, "LIKE\(options)", RandomOperand(format: "%@", arguments: [pattern], shape: .text))
        case 8:
            let pattern = random.pick([".*a.*", "[A-Z].*", "", ".{3}", "é.*|.*o", "\\w+", "a.b", "(?s).*"])
            return compared(
                left, "MATCHES\(random.pick(["", "[c]"]))",
                RandomOperand(format: "%@", arguments: [pattern], shape: .text))
        default:
            let list = (0..<random.number(0...4)).map { _ in random.pick(RandomValues.words) }
            return RandomCondition(
                format: "\(left.format) IN\(random.pick(["", "[c]", "[cd]"])) %@",
                arguments: left.arguments + [list], isCertain: !left.isOptional)
        }
    }

    // MARK: Other values

    mutating func ordered(_ subject: Subject) -> RandomCondition {
        guard let left = attribute(path(subject), { $0 == .date }) else { return texts(subject) }
        func date(_ random: inout SeededGenerator) -> RandomOperand {
            RandomOperand(format: "%@", arguments: [RandomValues.value(.date, &random)], shape: .date)
        }
        if random.chance(20) {
            let dates = [date(&random), date(&random)].flatMap(\.arguments)
            return RandomCondition(
                format: "\(left.format) BETWEEN %@", arguments: [dates], isCertain: !left.isOptional)
        }
        return compared(left, random.pick(Self.orders), date(&random))
    }

    mutating func identical(_ subject: Subject) -> RandomCondition {
        guard let left = attribute(path(subject), { [.flag, .uuid, .url, .data, .decimal].contains($0) }),
            case .other(let kind) = left.shape
        else { return isNil(subject) }
        if kind == .flag, random.chance(50) {
            return compared(
                left, "==", RandomOperand(format: random.pick(["YES", "NO", "1", "0"]), shape: .number))
        }
        if random.chance(25), kind != .flag {
            let list = (0..<random.number(0...3)).map { _ in RandomValues.value(kind, &random) }
            return RandomCondition(
                format: "\(left.format) IN %@", arguments: [list], isCertain: !left.isOptional)
        }
        let right = RandomOperand(
            format: "%@", arguments: [RandomValues.value(kind, &random)], shape: left.shape)
        return compared(left, random.pick(["==", "!="]), right)
    }

    mutating func isNil(_ subject: Subject) -> RandomCondition {
        let place = path(subject)
        let toOnes = Subject(entity: place.entity).relationships.filter { !$0.isToMany }
        let operand =
            toOnes.isEmpty || random.chance(60)
            ? attribute(place) { _ in true }?.format : place.key(random.pick(toOnes).name)
        return RandomCondition(format: "\(operand ?? place.key("id")) \(random.pick(["==", "!="])) nil")
    }
}
