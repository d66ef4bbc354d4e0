import CoreData
import Foundation
import Testing

/// Dictionary results, grouped and aggregated, equal those of grouping and aggregating the objects by hand.
@Suite("Random models: dictionary results")
@MainActor
struct RandomDictionaryTests {
    @Test("SQL groups and aggregates like a loop over the objects", arguments: RandomRun.seeds)
    func dictionaries(_ seed: UInt64) throws {
        try Self.expectAgreement(seed, seed % 2 == 0 ? .inMemory : .tested)
    }

    @Test(
        "PostgreSQL groups and aggregates like a loop over the objects", .needsServer,
        arguments: RandomRun.seeds)
    func onServer(_ seed: UInt64) throws { try Self.expectAgreement(seed, .postgreSQL) }

    private static func expectAgreement(_ seed: UInt64, _ type: NSPersistentStore.StoreType) throws {
        var random = SeededGenerator(seed: seed)
        let objects = try RandomObjects(&random, type: type)
        var predicates = RandomPredicates(random: random, objects: objects.all)
        for _ in 0..<RandomRun.casesPerModel {
            let summary = RandomSummary(random.pick(objects.model.entities), &predicates, &random)
            let text = "seed \(seed): \(summary.text)\n\(objects.model.text)\n\(objects.text)"
            do {
                let stored = try summary.stored(objects.stack.context)
                let byHand = try summary.byHand(objects.all)
                guard stored == byHand else {
                    Issue.record("SQL    \(stored)\nby hand \(byHand)\n\(text)")
                    return
                }
                let count = try summary.count(objects.stack.context)
                guard count == stored.count else {
                    Issue.record("count \(count), found \(stored)\n\(text)")
                    return
                }
            } catch {
                Issue.record("\(error)\n\(text)")
                return
            }
        }
    }
}
