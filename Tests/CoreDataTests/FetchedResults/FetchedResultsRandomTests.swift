import CoreData
import Foundation
import Testing

/// A list view that applies only the delegate's reports shows, after every event, what a fetch would find.
@Suite("Fetched results controllers: random changes")
@MainActor
struct FetchedResultsRandomTests {
    private typealias Mirror = TableMirror<NSManagedObject>

    /// A controller, and a list view that its delegate updates.
    @MainActor
    private final class View {
        let controller: TaskStack.Controller
        let recorder = DelegateRecorder()
        var mirror: Mirror
        var isConsistent = true

        init(_ controller: TaskStack.Controller) throws {
            self.controller = controller
            try controller.performFetch()
            mirror = View.content(of: controller.sections)
            controller.delegate = recorder
            recorder.didChange = { [unowned self] _, batch in
                MainActor.assumeIsolated {
                    nonisolated(unsafe) let batch = batch
                    isConsistent = mirror.apply(batch) && isConsistent
                }
            }
        }

        /// Fetches again, like a client after a reset.
        func fetch() throws {
            try controller.performFetch()
            mirror = View.content(of: controller.sections)
        }

        static func content(of sections: [any NSFetchedResultsSectionInfo]?) -> Mirror {
            Mirror(
                sections: (sections ?? []).map {
                    .init(name: $0.name, rows: $0.objects as? [NSManagedObject] ?? [])
                })
        }

        /// Returns the result of a new fetch.
        func expected() throws -> Mirror {
            let fresh = NSFetchedResultsController(
                fetchRequest: controller.fetchRequest, managedObjectContext: controller.managedObjectContext,
                sectionNameKeyPath: controller.sectionNameKeyPath, cacheName: nil)
            try fresh.performFetch()
            return View.content(of: fresh.sections)
        }
    }

    private static func text(_ mirror: Mirror) -> String {
        mirror.sections.map { section in
            "\(section.name): " + section.rows.map { TaskStack.title($0) }.joined(separator: " ")
        }.joined(separator: " | ")
    }

    private let groups = ["a", "b", "c", "d"]

    private func edit(
        _ context: NSManagedObjectContext, _ number: Int, _ random: inout SeededGenerator
    ) throws -> String {
        let all = try context.fetch("Task", nil, [], sortedBy: "title")
        guard let task = all.randomElement(using: &random), random.chance(75) else {
            let title = String(format: "%04d", number)
            _ = context.insert(
                random.pick(["Task", "Chore"]),
                [
                    "title": title, "group": random.pick(groups), "rank": random.number(0...9),
                    "isDone": random.chance(25),
                ])
            return "insert \(title)"
        }
        let title = TaskStack.title(task)
        switch random.number(0...7) {
        case 0: context.delete(task)
        case 1, 2: task.setValue(random.number(0...9), forKey: "rank")
        case 3: task.setValue(random.pick(groups), forKey: "group")
        case 4: task.setValue(random.chance(50), forKey: "isDone")
        case 5: context.refresh(task, mergeChanges: true)
        default: task.setValue(task.value(forKey: "rank"), forKey: "rank")
        }
        return "edit \(title)"
    }

    /// Ends an event in one of the possible ways.
    private func end(
        _ context: NSManagedObjectContext, _ sibling: NSManagedObjectContext, _ number: inout Int,
        _ random: inout SeededGenerator
    ) throws -> String {
        switch random.number(0...19) {
        case 0: context.rollback()
        case 1:
            try context.save()
            context.reset()
            return "reset"
        case 2...5: try context.save()
        case 6...8:
            // Another context saves, and its save is merged.
            try context.save()
            sibling.reset()
            for _ in 0..<random.number(1...6) {
                number += 1
                _ = try edit(sibling, number, &random)
            }
            try sibling.save(mergingInto: context)
            return "merge"
        case 9:
            try context.save()
            let update = NSBatchUpdateRequest(entityName: "Task")
            update.predicate = NSPredicate(format: "rank == %d", random.number(0...9))
            update.propertiesToUpdate = ["group": random.pick(groups), "isDone": random.chance(30)]
            update.resultType = .updatedObjectIDsResultType
            let result = try context.execute(update) as? NSBatchUpdateResult
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectIDsKey: result?.result ?? []], into: [context])
            return "batch update"
        case 10:
            try context.save()
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Task")
            request.predicate = NSPredicate(format: "rank == %d", random.number(0...9))
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeObjectIDs
            let result = try context.execute(delete) as? NSBatchDeleteResult
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectIDsKey: result?.result ?? []], into: [context])
            return "batch delete"
        default: context.processPendingChanges()
        }
        return "process"
    }

    @Test("Applying all batches gives the result of a new fetch", arguments: RandomRun.seeds)
    func mirror(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try TaskStack.make()
        for number in 0..<random.number(0...30) {
            stack.task(
                String(format: "%04d", number), random.pick(groups), rank: random.number(0...9))
        }
        try stack.context.save()
        let views = [
            try View(TaskStack.controller(stack.context)),
            try View(TaskStack.controller(stack.context, isSectioned: false)),
            try View(window(stack.context)),
        ]
        let sibling = stack.sibling()
        sibling.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        var number = 1000
        for event in 0..<50 {
            var edits: [String] = []
            for _ in 0..<random.pick([1, 1, 1, 2, 4, 10]) {
                number += 1
                edits.append(try edit(stack.context, number, &random))
            }
            edits.append(try end(stack.context, sibling, &number, &random))
            if edits.last == "reset" { for view in views { try view.fetch() } }
            for (index, view) in views.enumerated() {
                let expected = try view.expected()
                let shown = View.content(of: view.controller.sections)
                guard view.isConsistent, view.mirror == expected, shown == expected else {
                    Issue.record(
                        """
                        seed \(seed), event \(event), view \(index), consistent: \(view.isConsistent)
                        \(edits)
                        mirror   \(Self.text(view.mirror))
                        shown    \(Self.text(shown))
                        expected \(Self.text(expected))
                        last calls \(view.recorder.take().suffix(20))
                        """)
                    return
                }
            }
        }
    }

    private func window(_ context: NSManagedObjectContext) -> TaskStack.Controller {
        let request = TaskStack.request()
        request.fetchLimit = 7
        request.fetchOffset = 2
        return TaskStack.Controller(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "group", cacheName: nil)
    }
}
