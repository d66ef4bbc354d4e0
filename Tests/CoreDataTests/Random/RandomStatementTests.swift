@testable import CoreData
import Foundation
import Testing

/// The number of statements, for all models and data.
@Suite("Random models: numbers of statements")
@MainActor
struct RandomStatementTests {
    @Test(
        "A save without changes writes nothing, and reading all values takes a statement per entity",
        arguments: RandomRun.seeds)
    func whole(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let objects = try RandomObjects(&random)
        let roots = objects.model.entities.filter { $0.superentity == nil }
        for object in objects.all { object.setValue(object.value(forKey: "id"), forKey: "id") }
        let written = try objects.stack.statements { try objects.stack.context.save() }
            .filter { sql in ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) } }
        #expect(written == [], "seed \(seed)")
        let fresh = try objects.stack.reopened()
        let reads = try fresh.selects {
            for object in try RandomObjects.everything(in: fresh.context) { readAttributes(of: object) }
        }
        #expect(reads.count == roots.count, "seed \(seed): \(reads)")
    }

    @Test(
        "Prefetching takes at most one statement per to-one and two per to-many", arguments: RandomRun.seeds)
    func prefetching(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let objects = try RandomObjects(&random)
        for _ in 0..<4 {
            let entity = random.pick(objects.model.entities)
            let paths = (0..<random.number(1...3)).compactMap { _ in keyPath(from: entity, &random) }
            // The number of statements is the same for few objects and for all.
            let limit = random.chance(30) ? random.number(1...5) : 0
            let most = 1 + paths.joined().reduce(0) { $0 + ($1.isToMany ? 2 : 1) }
            let fresh = try objects.stack.reopened()
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.fetchLimit = limit
            request.relationshipKeyPathsForPrefetching = paths.map { path in
                path.map(\.name).joined(separator: ".")
            }
            var found: [NSManagedObject] = []
            let reads = try fresh.selects { found = try fresh.context.fetch(request) }
            let asked =
                "seed \(seed): \(entity.name ?? "") \(request.relationshipKeyPathsForPrefetching ?? [])"
            #expect(reads.count <= most, "\(asked) \(reads)")
            let later = fresh.selects { for path in paths { walk(path, from: found) } }
            #expect(later == [], "\(asked)")
        }
    }

    @Test(
        "A batch takes one statement, when its first object is used",
        arguments: RandomRun.seeds)
    func batches(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let objects = try RandomObjects(&random)
        for _ in 0..<4 {
            let entity = random.pick(objects.model.entities)
            let fresh = try objects.stack.reopened()
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.fetchBatchSize = random.number(1...7)
            request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: random.chance(50))]
            var found: [NSManagedObject] = []
            let keys = try fresh.selects { found = try fresh.context.fetch(request) }
            #expect(keys.count == 1, "seed \(seed): \(keys)")
            let touched = found.indices.filter { _ in random.chance(40) }.shuffled(using: &random)
            let reads = fresh.selects { for index in touched { readAttributes(of: found[index]) } }
            let batches = Set(touched.map { $0 / request.fetchBatchSize })
            #expect(
                reads.count == batches.count,
                "seed \(seed): \(found.count) in batches of \(request.fetchBatchSize), \(touched)")
        }
    }

    @Test(
        "A fault without a cached row takes one statement, and so does a to-many's first use",
        arguments: RandomRun.seeds)
    func faults(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let objects = try RandomObjects(&random)
        let entity = random.pick(objects.model.entities)
        let fresh = try objects.stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesPropertyValues = false
        let found = try fresh.context.fetch(request)
        for object in found where random.chance(50) {
            // Walking from owner to owner reads members together with their rows.
            let handle = try #require(fresh.context.readHandle(at: object.storeIndex))
            let isKnown = handle.cache.current(object.reference) != nil
            #expect(fresh.selects { readAttributes(of: object) }.count == (isKnown ? 0 : 1), "seed \(seed)")
            #expect(fresh.selects { readAttributes(of: object) } == [], "seed \(seed)")
            for relationship in object.entity.relationshipsByName.values {
                let reads = fresh.selects { _ = RandomObjects.members(object, relationship.name) }
                #expect(reads.count == (relationship.isToMany ? 1 : 0), "seed \(seed): \(reads)")
                #expect(fresh.selects { _ = RandomObjects.members(object, relationship.name) } == [])
            }
        }
    }

    // MARK: Reading

    private func keyPath(
        from entity: NSEntityDescription, _ random: inout SeededGenerator
    ) -> [NSRelationshipDescription]? {
        var path: [NSRelationshipDescription] = []
        var current = entity
        for _ in 0..<random.number(1...3) {
            let steps = current.relationshipsByName.values.sorted { $0.name < $1.name }
            guard let step = steps.randomElement(using: &random), let next = step.destinationEntity else {
                break
            }
            path.append(step)
            current = next
        }
        return path.isEmpty ? nil : path
    }

    private func walk(_ path: [NSRelationshipDescription], from objects: [NSManagedObject]) {
        var level = objects
        for step in path {
            level = level.flatMap { RandomObjects.members($0, step.name) }
            for object in level { readAttributes(of: object) }
        }
    }

    private func readAttributes(of object: NSManagedObject) {
        for name in object.entity.attributesByName.keys { _ = object.value(forKey: name) }
    }
}
