import CoreData
import Foundation
import Testing

/// Whatever a context does to its objects, the store has it after a save, and nothing else.
@Suite("Random edits: the store has what the context has")
@MainActor
struct RandomEditTests {
    private static let rounds = 6

    /// Changes something, and says what.
    private func edit(_ objects: inout RandomObjects, _ random: inout SeededGenerator) -> String {
        guard let object = objects.all.randomElement(using: &random) else { return "nothing" }
        let id = RandomObjects.id(object)
        switch random.number(0...9) {
        case 0, 1:
            let entity = random.pick(objects.model.entities.filter { !$0.isAbstract })
            let new = objects.insert(entity, &random)
            objects.relate(new, among: objects.all, &random)
            return "insert \(RandomObjects.id(new))"
        case 2:
            objects.delete(object)
            return "delete \(id)"
        case 3, 4:
            objects.change(object, &random)
            return "change \(id)"
        case 5, 6:
            objects.relate(object, among: objects.all, &random)
            return "relate \(id)"
        case 7:
            objects.stack.context.refresh(object, mergeChanges: true)
            return "refresh \(id)"
        default:
            move(object, objects.all, &random)
            return "move \(id)"
        }
    }

    /// Adds, takes out or moves one member of a to-many relationship, through its proxy.
    private func move(
        _ object: NSManagedObject, _ all: [NSManagedObject], _ random: inout SeededGenerator
    ) {
        let many = object.entity.relationshipsByName.values.filter(\.isToMany).sorted { $0.name < $1.name }
        guard let relationship = many.randomElement(using: &random),
            let destination = relationship.destinationEntity
        else { return }
        let members = RandomObjects.members(object, relationship.name)
            .sorted { RandomObjects.id($0) < RandomObjects.id($1) }
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

    /// Whoever leads somewhere is led back to.
    private func strayInverses(_ objects: [NSManagedObject]) -> [String] {
        objects.flatMap { object in
            object.entity.relationshipsByName.flatMap { name, relationship in
                RandomObjects.members(object, name).compactMap { other in
                    guard let inverse = relationship.inverseRelationship?.name,
                        !RandomObjects.members(other, inverse).contains(where: { $0 === object })
                    else { return nil }
                    return "\(RandomObjects.id(object)).\(name) has \(RandomObjects.id(other)), not back"
                }
            }
        }
    }

    @Test("A reopened store has what was saved, inverses and orders included", arguments: RandomRun.seeds)
    func mirror(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        for round in 0..<Self.rounds {
            for _ in 0..<random.number(1...12) {
                let edit = edit(&objects, &random)
                let strays = strayInverses(objects.all)
                if !strays.isEmpty {
                    Issue.record("seed \(seed), round \(round), \(edit): \(strays)\n\(objects.model.text)")
                    return
                }
            }
            try objects.stack.context.save()
            let fresh = try objects.stack.reopened()
            let stored = RandomObjects.text(try RandomObjects.everything(fresh))
            guard stored != objects.text else { continue }
            let (found, wanted) = (
                Set(stored.split(separator: "\n")), Set(objects.text.split(separator: "\n"))
            )
            Issue.record(
                """
                seed \(seed), round \(round)
                stored \(found.subtracting(wanted).joined(separator: "\n"))
                wanted \(wanted.subtracting(found).joined(separator: "\n"))
                \(objects.model.text)
                """)
            return
        }
    }

    @Test("A rollback brings back what was saved", arguments: RandomRun.seeds)
    func rollback(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        let before = objects.text
        for _ in 0..<random.number(1...12) { _ = edit(&objects, &random) }
        objects.stack.context.rollback()
        #expect(RandomObjects.text(try RandomObjects.everything(objects.stack)) == before, "seed \(seed)")
        #expect(!objects.stack.context.hasChanges, "seed \(seed)")
    }
}
