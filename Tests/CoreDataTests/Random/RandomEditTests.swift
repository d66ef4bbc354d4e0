import CoreData
import Foundation
import Testing

/// After a save the store has exactly the context's changes.
@Suite("Random edits: the store equals the context")
@MainActor
struct RandomEditTests {
    private static let rounds = 6

    @Test("A reopened store has the saved data, inverses and orders included", arguments: RandomRun.seeds)
    func mirror(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        for round in 0..<Self.rounds {
            for _ in 0..<random.number(1...12) {
                let edit = objects.edit(&random)
                let strays = objects.strayInverses
                if !strays.isEmpty {
                    Issue.record("seed \(seed), round \(round), \(edit): \(strays)\n\(objects.model.text)")
                    return
                }
            }
            try objects.stack.context.save()
            let fresh = try objects.stack.reopened()
            let stored = RandomObjects.text(try RandomObjects.everything(in: fresh.context))
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

    @Test("A rollback restores the saved data", arguments: RandomRun.seeds)
    func rollback(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        let before = objects.text
        for _ in 0..<random.number(1...12) { _ = objects.edit(&random) }
        objects.stack.context.rollback()
        #expect(
            RandomObjects.text(try RandomObjects.everything(in: objects.stack.context)) == before,
            "seed \(seed)")
        #expect(!objects.stack.context.hasChanges, "seed \(seed)")
    }
}
