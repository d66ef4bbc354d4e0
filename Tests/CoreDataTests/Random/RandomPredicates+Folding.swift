import CoreData
import Foundation

/// A collection of objects, by a path or a subquery.
struct RandomCollection {
    var format: String
    var arguments: [Any] = []
    let entity: NSEntityDescription
}

/// An aggregate of many values.
extension RandomPredicates {
    /// Returns a condition such as `books.@sum.pages`, over paths, subqueries and related objects.
    mutating func folded(_ subject: Subject) -> RandomCondition? {
        guard let collection = random.chance(30) ? selection(subject) : many(subject) else { return nil }
        // The aggregated value is an attribute of the members, or of their related objects.
        var place = Path(text: "", entity: collection.entity)
        if random.chance(25) { place = toOne(behind: place) }
        if random.chance(15) { place = toMany(behind: place) }
        guard let value = attribute(place, { $0.isNumber }) else { return nil }
        let operators = value.isOptional ? ["@sum", "@min", "@max"] : ["@sum", "@min", "@max", "@avg"]
        let name = random.pick(operators)
        let right = random.chance(80) ? literal() : number(subject, depth: 0)
        let condition = RandomCondition(
            format: "\(collection.format).\(name).\(value.format) "
                + "\(random.pick(Self.orders)) \(right.format)",
            arguments: collection.arguments + right.arguments, isCertain: false)
        guard name == "@avg" else { return condition }
        let isNotEmpty = RandomCondition(
            format: "\(collection.format).\(place.text.isEmpty ? "" : place.text + ".")@count > 0",
            arguments: collection.arguments, isCertain: false)
        return .joined(isNotEmpty, "AND", condition)
    }

    /// Returns a path to many objects, perhaps over several steps.
    private mutating func many(_ subject: Subject) -> RandomCollection? {
        guard var place = toManyPath(subject, steps: random.chance(30) ? 2 : 1) else { return nil }
        if random.chance(15) { place = toOne(behind: place) }
        return RandomCollection(format: place.text, entity: place.entity)
    }

    /// Extends a path by one to-one relationship, if there is one.
    mutating func toOne(behind place: Path) -> Path {
        step(behind: place) { !$0.isToMany } ?? place
    }

    private mutating func toMany(behind place: Path) -> Path {
        step(behind: place) { $0.isToMany } ?? place
    }

    private mutating func step(
        behind place: Path, _ isWanted: (NSRelationshipDescription) -> Bool
    ) -> Path? {
        let steps = Subject(entity: place.entity).relationships.filter(isWanted)
        guard let step = steps.randomElement(using: &random), let entity = step.destinationEntity else {
            return nil
        }
        return Path(
            text: place.key(step.name), entity: entity, isOptional: place.isOptional || !step.isToMany,
            isToMany: place.isToMany || step.isToMany)
    }
}
