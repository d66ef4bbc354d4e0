import CoreData
import Foundation

/// Conditions on relationships themselves, and comparisons of many objects' values.
extension RandomPredicates {
    // MARK: Objects

    /// Comparisons with objects.
    mutating func related(_ subject: Subject) -> RandomCondition? {
        if objects.isEmpty { return nil }
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

    /// Two relationships of one object, or one and the object itself.
    mutating func relatives(_ subject: Subject) -> RandomCondition? {
        let place = path(subject)
        let other = path(random.pick([subject] + subject.outer))
        let toOnes = Subject(entity: place.entity).relationships.filter { !$0.isToMany }
        guard let left = toOnes.randomElement(using: &random) else { return nil }
        let many = Subject(entity: other.entity).relationships.filter(\.isToMany)
        if random.chance(60), let right = many.randomElement(using: &random) {
            return RandomCondition(
                format: "\(place.key(left.name)) IN \(other.key(right.name))", isCertain: false)
        }
        return RandomCondition(
            format: "\(place.key(left.name)) \(random.pick(["==", "!="])) \(subject.text)", isCertain: false)
    }

    // MARK: Many objects

    mutating func quantified(_ subject: Subject) -> RandomCondition? {
        guard var place = toManyPath(subject, steps: random.chance(25) ? 2 : 1) else { return nil }
        let quantifier = random.pick(["ANY", "SOME", "NONE", "ALL"])
        let wanted: (RandomValues.Kind) -> Bool = random.chance(60) ? { $0.isNumber } : { $0 == .text }
        // The path's own optionality does not matter: a missing object has no elements.
        place.isOptional = false
        if quantifier != "ALL", random.chance(20) { place = toOne(behind: place) }
        guard let left = attribute(place, wanted) else { return nil }
        guard quantifier != "ALL" || !left.isOptional else { return nil }
        var tests = Self.orders
        if left.isOptional { tests.removeAll { $0 == "!=" } }
        let (test, right): (String, RandomOperand) =
            if case .text = left.shape {
                (
                    random.pick(["==", "CONTAINS", "BEGINSWITH", "<", "LIKE"])
                        + random.pick(["", "[c]", "[cd]"]),
                    word()
                )
            } else if random.chance(20) {
                (random.pick(["IN", "BETWEEN"]), RandomOperand(format: "{0, 7}", shape: .number))
            } else {
                (random.pick(tests), literal())
            }
        return RandomCondition(
            format: "\(quantifier) \(left.format) \(test) \(right.format)", arguments: right.arguments)
    }

    mutating func counted(_ subject: Subject) -> RandomCondition? {
        guard let place = toManyPath(subject) else { return nil }
        let count = random.chance(75) ? "\(place.text).@count" : "\(place.text)[SIZE]"
        return RandomCondition(
            format: "\(count) \(random.pick(Self.orders)) \(random.pick(["0", "1", "2", "3"]))",
            isCertain: !place.isOptional)
    }

    mutating func subquery(_ subject: Subject) -> RandomCondition? {
        guard let collection = selection(subject) else { return nil }
        return RandomCondition(
            format: "\(collection.format).@count \(random.pick(Self.orders)) \(random.pick(["0", "1", "2"]))",
            arguments: collection.arguments, isCertain: false)
    }

    /// `SUBQUERY(…)` of what a to-many leads to.
    mutating func selection(_ subject: Subject) -> RandomCollection? {
        guard subject.depth < 2, let place = toManyPath(subject, steps: random.chance(15) ? 2 : 1) else {
            return nil
        }
        let member = subject.member(of: place.entity)
        let condition = condition(member, depth: random.number(0...1))
        return RandomCollection(
            format: "SUBQUERY(\(place.text), \(member.text), \(condition.format))",
            arguments: condition.arguments, entity: place.entity)
    }

    /// The member of an ordered relationship at a position.
    mutating func element(_ subject: Subject) -> RandomCondition? {
        let place = path(subject)
        let ordered = Subject(entity: place.entity).relationships.filter(\.isOrdered)
        guard let step = ordered.randomElement(using: &random), let entity = step.destinationEntity else {
            return nil
        }
        let position = random.pick(["FIRST", "LAST", "0", "1", "2"])
        let member = Path(text: "\(place.key(step.name))[\(position)]", entity: entity, isOptional: true)
        if random.chance(20) {
            return RandomCondition(
                format: "\(member.text) \(random.pick(["==", "!="])) %@", arguments: [random.pick(objects)],
                isCertain: false)
        }
        guard let left = attribute(member, { $0.isNumber }) else { return nil }
        return compared(left, random.pick(Self.orders), literal())
    }

    // MARK: Entities

    /// Comparisons of entities, which are named or described.
    mutating func kind(_ subject: Subject) -> RandomCondition {
        let root = sequence(first: subject.entity) { $0.superentity }.reversed()[0]
        let family = [root] + root.descendants
        let (place, entity) = (path(subject), random.pick(family))
        let isNamed = random.chance(40)
        let left = place.key(isNamed ? "entity.name" : "entity")
        let right: Any = isNamed ? entity.name ?? "" : entity
        if random.chance(20) {
            let other: Any = isNamed ? "nowhere" : random.pick(family)
            return RandomCondition(
                format: "\(left) IN %@", arguments: [[right, other]], isCertain: !place.isOptional)
        }
        return RandomCondition(
            format: "\(left) \(random.pick(["==", "!="])) %@", arguments: [right],
            isCertain: !place.isOptional)
    }

    /// An object seen as one of an entity below its own.
    mutating func cast(_ subject: Subject) -> RandomCondition? {
        let place = path(subject)
        guard let entity = place.entity.descendants.randomElement(using: &random) else { return nil }
        let text = place.text == subject.prefix ? subject.text : place.text
        let seen = Path(
            text: "CAST(\(text), '\(entity.name ?? "")')", entity: entity, isOptional: true)
        if random.chance(15) {
            return RandomCondition(
                format: "\(seen.text) \(random.pick(["==", "!="])) nil", isCertain: false)
        }
        guard let left = attribute(seen, { $0.isNumber }) else { return nil }
        return compared(left, random.pick(Self.orders), literal())
    }
}

extension NSEntityDescription {
    fileprivate var descendants: [NSEntityDescription] { subentities.flatMap { [$0] + $0.descendants } }
}
