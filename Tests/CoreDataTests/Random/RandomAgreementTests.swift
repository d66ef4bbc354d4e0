import CoreData
import Foundation
import Testing

/// A predicate has one result in a store and in memory, for all models and data.
@Suite("Random models: SQL and memory agree")
@MainActor
struct RandomAgreementTests {
    @Test("SQL and evaluation in memory find the same objects in the same order", arguments: RandomRun.seeds)
    func stored(_ seed: UInt64) throws {
        try Self.expectAgreement(seed, seed % 2 == 0 ? .inMemory : .tested)
    }

    @Test(
        "PostgreSQL and evaluation in memory find the same objects in the same order", .needsServer,
        arguments: RandomRun.seeds)
    func onServer(_ seed: UInt64) throws { try Self.expectAgreement(seed, .postgreSQL) }

    private static func expectAgreement(_ seed: UInt64, _ type: NSPersistentStore.StoreType) throws {
        var random = SeededGenerator(seed: seed)
        let objects = try RandomObjects(&random, type: type)
        var predicates = RandomPredicates(random: random, objects: objects.all)
        for _ in 0..<RandomRun.casesPerModel {
            let question = RandomQuestion(random.pick(objects.model.entities), &predicates, &random)
            let context = objects.stack.context
            guard question.disagreement(context, objects.all) != nil else { continue }
            let smallest = question.shrunk { $0.disagreement(context, objects.all) != nil }
            let difference = smallest.disagreement(context, objects.all) ?? ""
            Issue.record(
                """
                seed \(seed): \(difference)
                \(smallest.text)
                \(objects.model.text)
                \(objects.text)
                """)
            return
        }
    }

    @Test(
        "A fetch finds the same objects before and after changes are saved", arguments: RandomRun.seeds)
    func pending(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random, type: seed % 2 == 0 ? .inMemory : .tested)
        let context = objects.stack.context
        for object in objects.all.shuffled(using: &random).prefix(6) { objects.change(object, &random) }
        for object in objects.all.shuffled(using: &random).prefix(3) { objects.delete(object) }
        for object in objects.all.shuffled(using: &random).prefix(2) {
            objects.relate(object, among: objects.all, &random)
        }
        // Unsaved objects can be compared with, but have no permanent ID.
        let known = objects.all
        for _ in 0..<4 {
            let entity = random.pick(objects.model.entities.filter { !$0.isAbstract })
            objects.relate(objects.insert(entity, &random), among: objects.all, &random)
        }
        var predicates = RandomPredicates(random: random, objects: known, reach: .own)
        let questions = (0..<RandomRun.casesPerModel).map { _ in
            RandomQuestion(random.pick(objects.model.entities), &predicates, &random)
        }
        let before = try questions.map { try $0.stored(context) }
        try context.save()
        for (question, found) in zip(questions, before) {
            let saved = try question.stored(context)
            guard saved != found else { continue }
            Issue.record(
                "seed \(seed): saved \(saved), before \(found)\n\(question.text)\n\(objects.model.text)")
            return
        }
    }
}
