import CoreData
import Foundation
import Testing

/// A predicate means the same whether SQLite or memory answers it, whatever the model and the data.
@Suite("Random models: SQL and memory agree")
@MainActor
struct RandomAgreementTests {
    /// A request with everything that decides which objects come, and in which order.
    private struct Question {
        let entity: NSEntityDescription
        var condition: RandomCondition
        var sort: [NSSortDescriptor]
        var offset = 0
        var limit = 0
        var includesSubentities = true

        func stored(_ context: NSManagedObjectContext) throws -> [Int] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.predicate = try condition.predicate()
            request.sortDescriptors = sort
            request.fetchOffset = offset
            request.fetchLimit = limit
            request.includesSubentities = includesSubentities
            return try context.fetch(request).map(RandomObjects.id)
        }

        func inMemory(_ objects: [NSManagedObject]) throws -> [Int] {
            let predicate = try condition.predicate()
            let found = objects.filter {
                ($0.entity === entity || includesSubentities && $0.entity.isKindOf(entity: entity))
                    && predicate.evaluate(with: $0)
            }
            let sorted = NSArray(array: found).sortedArray(using: sort) as? [NSManagedObject] ?? []
            let rest = sorted.dropFirst(offset)
            return (limit > 0 ? Array(rest.prefix(limit)) : Array(rest)).map(RandomObjects.id)
        }

        /// Nil when both agree.
        func disagreement(_ context: NSManagedObjectContext, _ objects: [NSManagedObject]) -> String? {
            do {
                let (stored, inMemory) = (try stored(context), try inMemory(objects))
                return stored == inMemory ? nil : "SQL \(stored), memory \(inMemory)"
            } catch {
                return "\(error)"
            }
        }

        /// The smallest part of the condition over which they disagree.
        func shrunk(_ disagrees: (Question) -> Bool) -> Question {
            for part in condition.parts {
                var smaller = self
                smaller.condition = part
                if disagrees(smaller) { return smaller.shrunk(disagrees) }
            }
            return self
        }
    }

    private func question(
        _ predicates: inout RandomPredicates, _ model: RandomModel, _ random: inout SeededGenerator
    ) -> Question {
        let entity = random.pick(model.entities)
        var question = Question(
            entity: entity, condition: predicates.next(entity), sort: sort(&predicates, entity, &random))
        if random.chance(30) { question.limit = random.number(1...8) }
        if random.chance(30) { question.offset = random.number(1...8) }
        question.includesSubentities = random.chance(80)
        return question
    }

    private func sort(
        _ predicates: inout RandomPredicates, _ entity: NSEntityDescription, _ random: inout SeededGenerator
    ) -> [NSSortDescriptor] {
        let keys = (0..<random.number(0...2)).compactMap { _ in
            let path = predicates.path(.init(entity: entity))
            return predicates.attribute(path) { $0.isNumber || $0 == .text || $0 == .date || $0 == .flag }
        }
        let selectors = [nil, "caseInsensitiveCompare:", "localizedStandardCompare:"]
        let sort = keys.map { key in
            let isAscending = random.chance(50)
            if case .text = key.shape, let selector = random.pick(selectors) {
                return NSSortDescriptor(
                    key: key.format, ascending: isAscending, selector: Selector(selector))
            }
            return NSSortDescriptor(key: key.format, ascending: isAscending)
        }
        return sort + [NSSortDescriptor(key: "id", ascending: true)]
    }

    @Test("What SQL finds is what evaluation finds, in the same order", arguments: RandomRun.seeds)
    func stored(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let objects = try RandomObjects(&random)
        var predicates = RandomPredicates(random: random, objects: objects.all)
        for _ in 0..<RandomRun.casesPerModel {
            let question = question(&predicates, objects.model, &random)
            let context = objects.stack.context
            guard question.disagreement(context, objects.all) != nil else { continue }
            let smallest = question.shrunk { $0.disagreement(context, objects.all) != nil }
            let difference = smallest.disagreement(context, objects.all) ?? ""
            Issue.record(
                """
                seed \(seed): \(difference)
                \(smallest.entity.name ?? ""): \(smallest.condition.format) \(smallest.condition.arguments)
                sort \(smallest.sort) offset \(smallest.offset) limit \(smallest.limit)
                \(objects.model.text)
                \(objects.text)
                """)
            return
        }
    }

    @Test(
        "A fetch over unsaved changes finds what it finds when they are saved", arguments: RandomRun.seeds)
    func pending(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        let context = objects.stack.context
        for object in objects.all.shuffled(using: &random).prefix(6) { objects.change(object, &random) }
        for object in objects.all.shuffled(using: &random).prefix(3) { objects.delete(object) }
        for _ in 0..<4 {
            let entity = random.pick(objects.model.entities.filter { !$0.isAbstract })
            objects.insert(entity, &random)
        }
        // A path through another object is answered by SQL for objects without changes of their own: like Apple's,
        // a fetch sees the changes of the objects it fetches, not those of objects that they lead to.
        var predicates = RandomPredicates(random: random, objects: [], followsRelationships: false)
        let questions = (0..<RandomRun.casesPerModel).map { _ in
            question(&predicates, objects.model, &random)
        }
        let before = try questions.map { try $0.stored(context) }
        try context.save()
        for (question, found) in zip(questions, before) {
            let saved = try question.stored(context)
            #expect(
                saved == found,
                "seed \(seed): \(question.condition.format) \(question.condition.arguments), \(question.sort)"
            )
        }
    }
}
