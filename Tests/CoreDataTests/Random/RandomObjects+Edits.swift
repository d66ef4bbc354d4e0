import CoreData
import Foundation

extension RandomObjects {
    /// Makes a change, and returns its description.
    mutating func edit(_ random: inout SeededGenerator) -> String {
        guard let object = all.randomElement(using: &random) else { return "nothing" }
        let id = Self.id(object)
        switch random.number(0...9) {
        case 0, 1:
            let entity = random.pick(model.entities.filter { !$0.isAbstract })
            let new = insert(entity, &random)
            relate(new, among: all, &random)
            return "insert \(Self.id(new))"
        case 2:
            delete(object)
            return "delete \(id)"
        case 3, 4:
            change(object, &random)
            return "change \(id)"
        case 5, 6:
            relate(object, among: all, &random)
            return "relate \(id)"
        case 7:
            context.refresh(object, mergeChanges: true)
            return "refresh \(id)"
        default:
            move(object, &random)
            return "move \(id)"
        }
    }

    /// Adds, removes or moves one member of a to-many relationship, through its proxy.
    private func move(_ object: NSManagedObject, _ random: inout SeededGenerator) {
        let many = object.entity.relationshipsByName.values.filter(\.isToMany).sorted { $0.name < $1.name }
        guard let relationship = many.randomElement(using: &random),
            let destination = relationship.destinationEntity
        else { return }
        let members = Self.members(object, relationship.name)
            .sorted { Self.id($0) < Self.id($1) }
        let other = all.filter { $0.entity.isKindOf(entity: destination) }.randomElement(using: &random)
        guard relationship.isOrdered else {
            let proxy = object.mutableSetValue(forKey: relationship.name)
            if random.chance(50), let member = members.randomElement(using: &random) {
                proxy.remove(member)
            } else if let other {
                proxy.add(other)
            }
            return
        }
        let proxy = object.mutableOrderedSetValue(forKey: relationship.name)
        if random.chance(40), let other, !proxy.contains(other) {
            proxy.insert(other, at: random.number(0...proxy.count))
        } else if proxy.count > 1 {
            proxy.moveObjects(
                at: [random.number(0...(proxy.count - 1))], to: random.number(0...(proxy.count - 1)))
        } else if proxy.count == 1 {
            proxy.removeObject(at: 0)
        }
    }

    /// The relationships whose inverse does not lead back.
    var strayInverses: [String] {
        all.flatMap { object in
            object.entity.relationshipsByName.flatMap { name, relationship in
                Self.members(object, name).compactMap { other in
                    guard let inverse = relationship.inverseRelationship?.name,
                        !Self.members(other, inverse).contains(where: { $0 === object })
                    else { return nil }
                    return "\(Self.id(object)).\(name) has \(Self.id(other)), not back"
                }
            }
        }
    }

    /// Returns every object that a context finds.
    static func everything(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
        return try entities.filter { $0.superentity == nil }.flatMap {
            try context.fetch($0.name ?? "", nil, [], sortedBy: nil)
        }
    }
}
