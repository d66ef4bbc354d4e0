import CoreData
import Foundation

/// Comparisons of one object's values.
extension RandomPredicates {
    // MARK: Texts

    mutating func text(_ subject: Subject) -> RandomOperand {
        let place = path(subject)
        guard let plain = attribute(place, { $0 == .text }) else { return word() }
        guard random.chance(20) else { return plain }
        if random.chance(25), let number = attribute(place, { [.short, .int, .long].contains($0) }) {
            return RandomOperand(
                format: "CAST(\(number.format), 'NSString')", shape: .text, isOptional: number.isOptional)
        }
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
        case 7 where random.chance(30):
            let (low, high) = (word(), word())
            return RandomCondition(
                format: "\(left.format) BETWEEN\(random.pick(["", "[c]"])) {%@, %@}",
                arguments: left.arguments + low.arguments + high.arguments, isCertain: !left.isOptional)
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

    mutating func dates(_ subject: Subject) -> RandomCondition {
        guard let left = attribute(path(subject), { $0 == .date }) else { return texts(subject) }
        func date(_ random: inout SeededGenerator) -> RandomOperand {
            RandomOperand(format: "%@", arguments: [RandomValues.value(.date, &random)], shape: .date)
        }
        if random.chance(20) {
            let dates = [date(&random), date(&random)].flatMap(\.arguments)
            return RandomCondition(
                format: "\(left.format) BETWEEN %@", arguments: [dates], isCertain: !left.isOptional)
        }
        if random.chance(20) {
            let sum = RandomOperand(
                format: "(\(left.format) \(random.pick(["+ 5", "- 100", "+ 0.5"])))", shape: .date,
                isOptional: left.isOptional)
            return compared(sum, random.pick(Self.orders), date(&random))
        }
        return compared(left, random.pick(Self.orders), date(&random))
    }

    mutating func identical(_ subject: Subject) -> RandomCondition {
        guard
            let left = attribute(
                path(subject), { [.flag, .uuid, .url, .data, .decimal, .tags].contains($0) }),
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
