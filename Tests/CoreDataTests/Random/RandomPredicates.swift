import CoreData
import Foundation

/// Predicates about an entity of a random model, nested at random and typed.
///
/// Left out on purpose, since Apple's framework itself answers differently in SQL and in memory (the article
/// on predicates lists them):
/// - NOT around a comparison that may meet nil: SQL's unknown stays unknown, in memory false becomes true.
///   NOT stands here only around what is never unknown.
/// - ALL, and ANY with `!=`, over values of which some are nil: a set of values in memory has no nils, rows
///   have.
/// - `@avg` over nothing: NULL in SQL, 0 in memory; over some nils: left out in SQL, zero in memory.
struct RandomPredicates {
    /// The subject of a condition: the object itself, or the variable of a subquery.
    struct Subject {
        let entity: NSEntityDescription
        /// The prefix of the keys in its paths.
        var prefix = ""
        /// The subjects of the conditions around, from the object itself on.
        var outer: [Subject] = []
        var depth: Int { outer.count }

        /// The tested object.
        var text: String { prefix.isEmpty ? "SELF" : String(prefix.dropLast()) }

        /// A member of a collection, by the variable of a subquery.
        func member(of entity: NSEntityDescription) -> Subject {
            Subject(entity: entity, prefix: "$v\(depth + 1).", outer: outer + [self])
        }

        var attributes: [NSAttributeDescription] {
            entity.attributesByName.sorted { $0.key < $1.key }.map(\.value)
        }
        var relationships: [NSRelationshipDescription] {
            entity.relationshipsByName.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// A key path to an entity, and the entities that it went through.
    struct Path {
        var text: String
        var entity: NSEntityDescription
        var isOptional = false
        var isToMany = false

        func key(_ name: String) -> String {
            text.isEmpty || text.hasSuffix(".") ? text + name : "\(text).\(name)"
        }
    }

    var random: SeededGenerator
    /// For comparisons with objects.
    let objects: [NSManagedObject]
    var reach = Reach.all

    /// The values that conditions may use.
    enum Reach {
        /// The tested object's attributes and related objects.
        case own
        /// Other objects as well, through its relationships.
        case all
    }

    mutating func next(_ entity: NSEntityDescription) -> RandomCondition {
        condition(Subject(entity: entity), depth: random.number(0...3))
    }

    // MARK: Conditions

    mutating func condition(_ subject: Subject, depth: Int) -> RandomCondition {
        guard depth > 0 else { return comparison(subject) }
        switch random.number(0...9) {
        case 0...3:
            return .joined(condition(subject, depth: depth - 1), "AND", condition(subject, depth: depth - 1))
        case 4...7:
            return .joined(condition(subject, depth: depth - 1), "OR", condition(subject, depth: depth - 1))
        default:
            let inner = condition(subject, depth: depth - 1)
            return inner.isCertain ? .not(inner) : inner
        }
    }

    private mutating func comparison(_ subject: Subject) -> RandomCondition {
        switch random.number(0...(reach == .all ? 27 : 16)) {
        case 0...4: return numbers(subject)
        case 5...8: return texts(subject)
        case 9: return dates(subject)
        case 10: return identical(subject)
        case 11: return isNil(subject)
        case 12: return constant()
        case 13: return kind(subject)
        case 14, 15: return related(subject) ?? isNil(subject)
        case 16: return counted(subject) ?? texts(subject)
        case 17...19: return quantified(subject) ?? numbers(subject)
        case 20, 21: return subquery(subject) ?? numbers(subject)
        case 22...24: return folded(subject) ?? numbers(subject)
        case 25: return element(subject) ?? texts(subject)
        case 26: return cast(subject) ?? kind(subject)
        default: return relatives(subject) ?? isNil(subject)
        }
    }

    private mutating func constant() -> RandomCondition {
        RandomCondition(format: random.pick(["TRUEPREDICATE", "FALSEPREDICATE", "1 == 1", "'a' == 'b'"]))
    }

    // MARK: Paths

    /// Returns a path through some to-one relationships, or none.
    mutating func path(_ subject: Subject) -> Path {
        var path = Path(text: subject.prefix, entity: subject.entity)
        while reach == .all, random.chance(35) {
            let steps = Subject(entity: path.entity).relationships.filter { !$0.isToMany }
            guard let step = steps.randomElement(using: &random), let next = step.destinationEntity else {
                break
            }
            path = Path(text: path.key(step.name), entity: next, isOptional: true)
        }
        return path
    }

    /// Returns a path through exactly one to-many relationship or, rarely, two; nil if there is none.
    mutating func toManyPath(_ subject: Subject, steps: Int = 1) -> Path? {
        var path = path(subject)
        for _ in 0..<steps {
            let many = Subject(entity: path.entity).relationships.filter(\.isToMany)
            guard let step = many.randomElement(using: &random), let next = step.destinationEntity else {
                return path.isToMany ? path : nil
            }
            path = Path(text: path.key(step.name), entity: next, isOptional: path.isOptional, isToMany: true)
        }
        return path
    }

    /// Returns an attribute of one of the kinds; nil if the entity has none.
    mutating func attribute(_ path: Path, _ accepts: (RandomValues.Kind) -> Bool) -> RandomOperand? {
        let found = Subject(entity: path.entity).attributes.filter {
            RandomValues.kind($0).map(accepts) ?? false
        }
        guard let attribute = found.randomElement(using: &random), let kind = RandomValues.kind(attribute)
        else {
            return nil
        }
        let shape: RandomOperand.Shape =
            switch kind {
            case .text: .text
            case .date: .date
            default: kind.isNumber ? .number : .other(kind)
            }
        return RandomOperand(
            format: path.key(attribute.name), shape: shape,
            isOptional: path.isOptional || attribute.isOptional)
    }
}
