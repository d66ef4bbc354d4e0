import CoreData
import Foundation
import Testing

/// Nested contexts, sibling contexts, and undo: in the end all have the same objects.
@Suite("Random edits: contexts agree with each other")
@MainActor
struct RandomContextTests {
    private func text(_ context: NSManagedObjectContext) throws -> String {
        RandomObjects.text(try RandomObjects.everything(in: context))
    }

    /// Returns the lines that only one of two texts has.
    private func difference(_ found: String, _ wanted: String) -> String {
        let (found, wanted) = (Set(found.split(separator: "\n")), Set(wanted.split(separator: "\n")))
        return """
            found \(found.subtracting(wanted).joined(separator: "\n"))
            wanted \(wanted.subtracting(found).joined(separator: "\n"))
            """
    }

    // MARK: Undo

    @Test(
        "Undo and redo restore each group of changes, with or without saves in between",
        arguments: RandomRun.seeds)
    func undo(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        let context = objects.context
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        var texts = [objects.text]
        var edits = ["start"]
        for _ in 0..<random.number(1...10) {
            manager.beginUndoGrouping()
            // An edit may change nothing, and is no step then.
            var edit = ""
            repeat { edit += objects.edit(&random) + " " } while objects.text == texts.last
            context.processPendingChanges()
            manager.endUndoGrouping()
            edits.append(edit)
            texts.append(objects.text)
        }
        var saves: [Int] = []
        for step in walk(texts.count, &random) {
            if step.isUndo { context.undo() } else { context.redo() }
            let found = try text(context)
            guard found == texts[step.position] else {
                Issue.record(
                    """
                    seed \(seed), \(step) of \(edits), saved after \(saves)
                    \(difference(found, texts[step.position]))
                    \(objects.model.text)
                    """)
                return
            }
            if random.chance(25) {
                try context.save()
                saves.append(step.position)
                let fresh = try objects.stack.reopened()
                #expect(try text(fresh.context) == found, "seed \(seed), saved after \(step) of \(edits)")
            }
        }
    }

    private struct Step {
        let isUndo: Bool
        let position: Int
    }

    /// Undoes everything and redoes it, with changes of direction in between.
    private func walk(_ count: Int, _ random: inout SeededGenerator) -> [Step] {
        var position = count - 1
        var steps: [Step] = []
        for end in [0, count - 1, random.number(0...(count - 1)), 0] {
            while position != end {
                let isUndo = end < position
                position += isUndo ? -1 : 1
                steps.append(Step(isUndo: isUndo, position: position))
            }
        }
        return steps
    }

    // MARK: Nesting

    @Test(
        "Ancestors have what a nested context saves, and descendants see it", arguments: RandomRun.seeds)
    func nesting(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        var contexts = [objects.context]
        for _ in 0..<3 {
            let child = NSManagedObjectContext(.mainQueue)
            child.parent = contexts.last
            contexts.append(child)
        }
        for round in 0..<6 {
            let level = random.number(0...(contexts.count - 1))
            for context in contexts[(level + 1)...] { context.reset() }
            try objects.continue(in: contexts[level])
            var edits: [String] = []
            for _ in 0..<random.number(1...8) { edits.append(objects.edit(&random)) }
            let wanted = objects.text
            let top = random.number(0...level)
            // The root's save goes to the store.
            for context in contexts[top...level].reversed() { try context.save() }
            for (index, context) in contexts.enumerated() where index >= top - 1 {
                try objects.continue(in: context)
                let found = objects.text
                let stray = objects.strayInverses
                guard found == wanted, stray.isEmpty else {
                    Issue.record(
                        """
                        seed \(seed), round \(round), \(edits) at \(level), saved to \(top - 1), level \(index) \(stray)
                        \(difference(found, wanted))
                        \(objects.model.text)
                        """)
                    return
                }
            }
        }
        for context in contexts.reversed() { try context.save() }
        let fresh = try objects.stack.reopened()
        #expect(try text(fresh.context) == text(objects.stack.context), "seed \(seed)")
        #expect(contexts.allSatisfy { !$0.hasChanges }, "seed \(seed)")
    }

    // MARK: Merging

    @Test(
        "Two coordinators' contexts that save and merge in turn end up with the store's data",
        arguments: RandomRun.seeds)
    func merging(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var objects = try RandomObjects(&random)
        let other = try objects.stack.reopened()
        let contexts = [objects.stack.context, objects.stack.sibling(), other.context, other.sibling()]
        for context in contexts {
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            _ = try text(context)
        }
        nonisolated(unsafe) var saves: [Notification] = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
        ) { notification in
            if contexts.contains(where: { $0 === notification.object as? NSManagedObjectContext }) {
                saves.append(notification)
            }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        var log: [String] = []
        for _ in 0..<12 {
            let index = random.number(0...3)
            try objects.continue(in: contexts[index])
            for _ in 0..<random.number(0...3) { log.append("\(index): \(objects.edit(&random))") }
            try contexts[index].save()
            log.append("\(index): save")
            for save in saves {
                for context in contexts where context !== save.object as? NSManagedObjectContext {
                    context.mergeChanges(fromContextDidSave: save)
                }
            }
            saves.removeAll()
            let fresh = try objects.stack.reopened()
            let wanted = try text(fresh.context)
            for (place, context) in contexts.enumerated() {
                let found = try text(context)
                let unsaved = context.insertedObjects.union(context.updatedObjects)
                guard found == wanted, unsaved.isEmpty else {
                    Issue.record(
                        """
                        seed \(seed), context \(place), \(log)
                        \(difference(found, wanted))
                        \(objects.model.text)
                        """)
                    return
                }
            }
        }
    }
}
