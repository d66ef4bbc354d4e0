import CoreData
import Foundation

/// Comparisons of what many objects have.
extension RandomPredicates {
    mutating func quantified(_ subject: Subject) -> RandomCondition? {
        guard let place = toManyPath(subject, steps: random.chance(25) ? 2 : 1) else { return nil }
        let quantifier = random.pick(["ANY", "SOME", "NONE", "ALL"])
        let wanted: (RandomValues.Kind) -> Bool = random.chance(60) ? { $0.isNumber } : { $0 == .text }
        // The path's own optionality does not matter: what is not there has no elements.
        var inner = place
        inner.isOptional = false
        guard let left = attribute(inner, wanted) else { return nil }
        var orders = Self.orders
        if left.isOptional {
            guard quantifier != "ALL" else { return nil }
            orders.removeAll { $0 == "!=" }
        }
        let (order, right): (String, RandomOperand) =
            if case .text = left.shape {
                (
                    random.pick(["==", "CONTAINS", "BEGINSWITH", "<"]) + random.pick(["", "[c]", "[cd]"]),
                    word()
                )
            } else {
                (random.pick(orders), literal())
            }
        return RandomCondition(
            format: "\(quantifier) \(left.format) \(order) \(right.format)", arguments: right.arguments)
    }

    mutating func counted(_ subject: Subject) -> RandomCondition? {
        guard let place = toManyPath(subject) else { return nil }
        return RandomCondition(
            format: "\(place.text).@count \(random.pick(Self.orders)) \(random.pick(["0", "1", "2", "3"]))",
            isCertain: !place.isOptional)
    }

    mutating func subquery(_ subject: Subject) -> RandomCondition? {
        guard subject.depth < 2, let place = toManyPath(subject) else { return nil }
        var inner = Subject(entity: place.entity, depth: subject.depth + 1)
        let variable = inner.variable
        inner.prefix = variable + "."
        let condition = condition(inner, depth: random.number(0...1))
        return RandomCondition(
            format: "SUBQUERY(\(place.text), \(variable), \(condition.format)).@count "
                + "\(random.pick(Self.orders)) \(random.pick(["0", "1", "2"]))",
            arguments: condition.arguments, isCertain: !place.isOptional)
    }

    mutating func aggregated(_ subject: Subject) -> RandomCondition? {
        guard let place = toManyPath(subject) else { return nil }
        var inner = place
        inner.isOptional = false
        guard let value = attribute(inner, { $0.isNumber && $0 != .decimal }) else { return nil }
        let name = value.format.components(separatedBy: ".").last ?? ""
        let operators = value.isOptional ? ["@min", "@max"] : ["@sum", "@min", "@max"]
        return RandomCondition(
            format: "\(place.text).\(random.pick(operators)).\(name) \(random.pick(["==", "<", ">=", ">"])) "
                + random.pick(Self.numberTexts),
            isCertain: false)
    }

    /// Comparisons with objects.
    mutating func related(_ subject: Subject) -> RandomCondition? {
        let object = random.pick(objects)
        let place = path(subject)
        let relationships = Subject(entity: place.entity).relationships
        guard let relationship = relationships.randomElement(using: &random) else {
            guard subject.prefix.isEmpty else { return nil }
            return RandomCondition(
                format: "SELF \(random.pick(["==", "!="])) %@", arguments: [object], isCertain: true)
        }
        let key = place.key(relationship.name)
        if relationship.isToMany {
            let format = random.pick(["ANY \(key) == %@", "%@ IN \(key)", "NONE \(key) == %@"])
            return RandomCondition(format: format, arguments: [object], isCertain: false)
        }
        if random.chance(30) {
            let list = (0..<random.number(0...4)).map { _ in random.pick(objects) }
            return RandomCondition(format: "\(key) IN %@", arguments: [list], isCertain: false)
        }
        return RandomCondition(
            format: "\(key) \(random.pick(["==", "!="])) %@",
            arguments: [random.chance(50) ? object : object.objectID], isCertain: false)
    }
}
