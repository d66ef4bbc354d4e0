import CoreData
import Foundation

/// Comparisons of numbers, computed ones among them.
extension RandomPredicates {
    static let orders = ["==", "!=", "<", "<=", ">", ">="]

    mutating func numbers(_ subject: Subject) -> RandomCondition {
        let left = number(subject, depth: random.number(0...2))
        switch random.number(0...8) {
        case 0:
            let low = random.chance(70) ? literal(below: 7) : number(subject, depth: 0)
            let high = random.chance(70) ? literal() : number(subject, depth: 1)
            return list(left, "BETWEEN", [low, high])
        case 1, 2:
            let elements = (0..<random.number(0...10)).map { _ in
                random.chance(80) ? literal() : number(subject, depth: random.number(0...1))
            }
            return list(left, "IN", elements)
        case 3:
            let list = (0..<random.number(0...4)).map { _ in RandomValues.value(.double, &random) }
            return RandomCondition(
                format: "\(left.format) IN %@", arguments: left.arguments + [list],
                isCertain: !left.isOptional)
        default:
            let right =
                random.chance(65) ? literal() : number(random.pick([subject] + subject.outer), depth: 1)
            return compared(left, random.pick(Self.orders), right)
        }
    }

    private func list(
        _ left: RandomOperand, _ test: String, _ elements: [RandomOperand]
    ) -> RandomCondition {
        RandomCondition(
            format: "\(left.format) \(test) {\(elements.map(\.format).joined(separator: ", "))}",
            arguments: left.arguments + elements.flatMap(\.arguments),
            isCertain: !([left] + elements).contains(where: \.isOptional))
    }

    /// `==` and `!=` with something that is never nil leave nothing unknown only for `!=` in SQL's form here.
    func compared(_ left: RandomOperand, _ order: String, _ right: RandomOperand) -> RandomCondition {
        RandomCondition(
            format: "\(left.format) \(order) \(right.format)", arguments: left.arguments + right.arguments,
            isCertain: !left.isOptional && !right.isOptional)
    }

    // MARK: Operands

    static let numberTexts = ["-3", "0", "1", "2.5", "7", "30", "-0.5", "20"]

    mutating func literal(below limit: Double = .infinity) -> RandomOperand {
        let texts = Self.numberTexts.filter { Double($0) ?? 0 < limit }
        guard limit.isInfinite, random.chance(40) else {
            return RandomOperand(format: random.pick(texts), shape: .number)
        }
        return RandomOperand(
            format: "%@", arguments: [RandomValues.value(random.pick(RandomValues.numbers), &random)],
            shape: .number)
    }

    mutating func number(_ subject: Subject, depth: Int) -> RandomOperand {
        let place = path(subject)
        let plain =
            attribute(place) { $0.isNumber }
            ?? RandomOperand(format: place.key("id"), shape: .number, isOptional: place.isOptional)
        guard depth > 0 else { return plain }
        let inner = number(subject, depth: depth - 1)
        switch random.number(0...12) {
        case 0...2:
            let other = random.chance(50) ? literal() : number(subject, depth: depth - 1)
            return Self.call([inner, other]) { "(\($0[0]) \(random.pick(["+", "-", "*"])) \($0[1]))" }
        case 3:
            let name = random.pick(["abs", "floor", "ceiling", "trunc", "noindex"])
            return Self.call([inner]) { "\(name):(\($0[0]))" }
        case 4:
            return Self.call([text(subject)], isOptional: true) { "length:(\($0[0]))" }
        case 5:
            return ternary(subject) ?? plain
        case 6:
            return Self.call([inner]) { "(\($0[0]) / \(random.pick(["2", "-4", "0.5"])))" }
        case 7:
            let name = random.pick(["max", "min", "sum", "average"])
            return Self.call([inner, literal(), plain]) { "\(name):({\($0.joined(separator: ", "))})" }
        case 8:
            return Self.call([inner]) { "sqrt:(abs:(\($0[0])))" }
        case 9:
            return Self.call([inner]) { "(\($0[0]) ** \(random.pick(["2", "3"])))" }
        case 10:
            return whole(place)
        case 11:
            return Self.call([random.chance(60) ? inner : text(subject)]) { "CAST(\($0[0]), 'NSNumber')" }
        default: return plain
        }
    }

    private static func call(
        _ operands: [RandomOperand], isOptional: Bool = false, _ format: ([String]) -> String
    ) -> RandomOperand {
        RandomOperand(
            format: format(operands.map(\.format)), arguments: operands.flatMap(\.arguments), shape: .number,
            isOptional: isOptional || operands.contains(where: \.isOptional))
    }

    private mutating func ternary(_ subject: Subject) -> RandomOperand? {
        let condition = numbers(subject)
        guard condition.isCertain else { return nil }
        let (yes, no) = (literal(), number(subject, depth: 0))
        return RandomOperand(
            format: "TERNARY(\(condition.format), \(yes.format), \(no.format))",
            arguments: condition.arguments + yes.arguments + no.arguments, shape: .number,
            isOptional: no.isOptional)
    }

    /// Functions of whole numbers.
    private mutating func whole(_ place: Path) -> RandomOperand {
        let left =
            attribute(place) { [.short, .int, .long].contains($0) }
            ?? RandomOperand(format: place.key("id"), shape: .number, isOptional: place.isOptional)
        let format = random.pick([
            "modulus:by:(\(left.format), 3)", "(\(left.format) & 6)", "(\(left.format) | 9)",
            "(\(left.format) << 2)", "(\(left.format) >> 1)", "onesComplement:(\(left.format))",
            "(\(left.format) ^ 5)",
        ])
        return RandomOperand(format: format, shape: .number, isOptional: left.isOptional)
    }
}
