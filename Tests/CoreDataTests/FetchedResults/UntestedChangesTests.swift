import CoreDataModelFormat
import CoreDataStore
import Foundation
import Testing

@testable import CoreData

/// Controllers evaluate only the objects that a change may affect, and report the same as controllers that
/// evaluate all.
@Suite("Fetched results controllers: changes that need no evaluation")
@MainActor
struct UntestedChangesTests {
    typealias Controller = TaskStack.Controller

    // MARK: A random model

    private static func stack() throws -> TestStack {
        try TestStack(
            """
            \(TaskStack.sketch)
              note string
              scratch string transient
              folder -> Folder.tasks
            Chore: Task
              place string
            Folder
              name string
              tasks ->> Task.folder
            Note
            """)
    }

    private static let predicates: [String?] = [
        nil, "isDone == NO", "rank > 4", "rank + 1 > 4", "NOT (isDone == YES OR group == 'a')",
        "group IN {'a', 'b'}",
        "'b' IN {group, note}", "rank BETWEEN {2, 7} AND note != 'x'", "note CONTAINS 'y'",
        "lowercase(group) == 'c'",
        "folder == nil", "folder.name == 'x'", "folder.tasks.@count > 2",
        "SELF != nil AND isDone == NO",
    ]
    private static let orders = [
        ["group", "rank"], ["rank"], [], ["folder.name"], ["note"], ["isDone", "group"],
    ]
    private static let sections: [String: String] = [
        "group": "group", "rank": "rank", "folder.name": "folder.name", "isDone": "isDone",
    ]

    private static func request(
        _ context: NSManagedObjectContext, _ folders: [NSManagedObject], _ random: inout SeededGenerator
    ) -> (request: NSFetchRequest<NSManagedObject>, section: String?) {
        let request = NSFetchRequest<NSManagedObject>(entityName: random.chance(80) ? "Task" : "Chore")
        request.includesSubentities = random.chance(80)
        switch random.number(0...11) {
        case 0: request.predicate = NSPredicate(format: "folder == %@", random.pick(folders))
        case 1: request.predicate = NSPredicate(format: "folder IN %@", Array(folders.prefix(2)))
        case 2:
            request.predicate = NSPredicate { object, _ in
                (object as? NSManagedObject)?.value(forKey: "rank") as? Int64 ?? 0 < 5
            }
        default: request.predicate = random.pick(predicates).map { NSPredicate(format: $0) }
        }
        let keys = random.pick(orders)
        request.sortDescriptors = (keys + ["title"]).map {
            NSSortDescriptor(key: $0, ascending: true)
        }
        return (request, random.chance(60) ? keys.first.flatMap { sections[$0] } : nil)
    }

    /// Two controllers of one request: one knows the changes, the other missed events.
    @MainActor
    private final class Pair {
        let quick: Controller
        let thorough: Controller
        let told = (DelegateRecorder(), DelegateRecorder())

        init(_ request: NSFetchRequest<NSManagedObject>, _ section: String?, in stack: TestStack) throws {
            func controller() throws -> Controller {
                let controller = Controller(
                    fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: section,
                    cacheName: nil)
                try controller.performFetch()
                return controller
            }
            (quick, thorough) = (try controller(), try controller())
            quick.delegate = told.0
            stack.insert("Note")
            stack.context.processPendingChanges()
            thorough.delegate = told.1
        }

        static func content(of controller: Controller) -> [String] {
            (controller.sections ?? []).map { section in
                ([section.name] + (section.objects ?? []).map(TaskStack.title)).joined(separator: " ")
            }
        }
    }

    // MARK: Random edits

    private func edit(
        _ context: NSManagedObjectContext, _ number: Int, _ random: inout SeededGenerator
    ) throws {
        let all = try context.fetch("Task", nil, [], sortedBy: "title")
        // There may be no folder, after an undo of the first changes.
        let folder = try context.fetch("Folder", nil, [], sortedBy: "name").randomElement(using: &random)
        guard let task = all.randomElement(using: &random), random.chance(85) else {
            let task = context.insert(
                random.pick(["Task", "Chore"]),
                ["title": String(format: "%04d", number), "group": random.pick(["a", "b", "c"])])
            if random.chance(50) { task.setValue(folder, forKey: "folder") }
            return
        }
        switch random.number(0...13) {
        case 0: context.delete(task)
        case 1, 2: task.setValue(random.number(0...9), forKey: "rank")
        case 3: task.setValue(random.pick(["a", "b", "c"]), forKey: "group")
        case 4: task.setValue(random.chance(50), forKey: "isDone")
        case 5: context.refresh(task, mergeChanges: true)
        case 6: context.refresh(task, mergeChanges: false)
        case 7: task.setValue(random.chance(70) ? folder : nil, forKey: "folder")
        case 8: folder?.setValue(random.pick(["x", "y", "z"]), forKey: "name")
        case 9: task.setValue(random.pick(["s", nil]), forKey: "scratch")
        case 10: task.setValue(task.value(forKey: "rank"), forKey: "rank")
        default:
            task.setValue(random.pick(["x", "yy", "a long note that lies outside", nil]), forKey: "note")
        }
    }

    private func end(
        _ stack: TestStack, _ sibling: NSManagedObjectContext, _ number: inout Int,
        _ random: inout SeededGenerator
    ) throws {
        switch random.number(0...15) {
        case 0: stack.context.rollback()
        case 1...3: try stack.context.save()
        case 4, 5:
            try stack.context.save()
            sibling.reset()
            for _ in 0..<random.number(1...6) {
                number += 1
                try edit(sibling, number, &random)
            }
            try sibling.save(mergingInto: stack.context)
        case 6: stack.context.undoManager?.undo()
        default: stack.context.processPendingChanges()
        }
    }

    @Test("Skipping needless evaluations does not change the reports", arguments: RandomRun.seeds)
    func sameReports(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try Self.stack()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        if random.chance(30) { stack.context.undoManager = UndoManager() }
        let folders = ["x", "y", "z"].map { stack.insert("Folder", ["name": $0]) }
        var number = 0
        for _ in 0..<random.pick([5, 30, 60]) {
            number += 1
            let task = stack.task(
                String(format: "%04d", number), random.pick(["a", "b", "c"]), rank: random.number(0...9),
                entity: random.pick(["Task", "Chore"]))
            task.setValue(random.pick([folders[0], folders[1], nil]), forKey: "folder")
        }
        try stack.context.save()
        let sibling = stack.sibling()
        sibling.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let pairs = try (0..<12).map { _ in
            let (request, section) = Self.request(stack.context, folders, &random)
            return try Pair(request, section, in: stack)
        }
        for pair in pairs {
            #expect(pair.quick.results.hasSeenAll)
            #expect(!pair.thorough.results.hasSeenAll)
        }
        for event in 0..<40 {
            for _ in 0..<random.pick([1, 1, 2, 5, 30]) {
                number += 1
                try edit(stack.context, number, &random)
            }
            try end(stack, sibling, &number, &random)
            for (index, pair) in pairs.enumerated() {
                let (quick, thorough) = (pair.told.0.take(), pair.told.1.take())
                let shown = (Pair.content(of: pair.quick), Pair.content(of: pair.thorough))
                guard quick == thorough, shown.0 == shown.1 else {
                    Issue.record(
                        """
                        seed \(seed), event \(event), pair \(index): \(pair.quick.fetchRequest)
                        \(quick)
                        \(thorough)
                        \(shown)
                        """)
                    return
                }
            }
        }
    }

    // MARK: Columns that an event reports

    private final class Witness: ContextChangeFollower {
        private(set) var changes: [ChangedObjects.Change] = []
        var body: () -> Void = {}

        func follow(_ event: ContextEvent) {
            changes += event.changed.map(\.change)
            body()
        }

        func take() -> [ChangedObjects.Change] {
            defer { changes = [] }
            return changes
        }
    }

    /// Returns a stack with one saved task, and a witness of its events.
    private func watched() throws -> (TestStack, NSManagedObject, Witness) {
        let stack = try Self.stack()
        let task = stack.task("milk", "home", rank: 1)
        try stack.context.save()
        let witness = Witness()
        stack.context.changeFeed.add(witness)
        return (stack, task, witness)
    }

    private func columns(_ task: NSManagedObject, _ keys: String...) -> ChangedObjects.Change {
        .columns(ColumnMask(keys.compactMap { task.runtime.slot(named: $0)?.column }))
    }

    @Test("An event reports which columns of which objects it changed")
    func columns() throws {
        let (stack, task, witness) = try watched()
        task.setValue(7, forKey: "rank")
        task.setValue("x", forKey: "note")
        task.setValue("home", forKey: "group")
        stack.context.processPendingChanges()
        #expect(witness.take() == [columns(task, "rank", "note")])
        task.setValue("s", forKey: "scratch")
        stack.context.processPendingChanges()
        #expect(witness.take() == [columns(task)])
        let folder = stack.insert("Folder")
        task.setValue(folder, forKey: "folder")
        stack.context.processPendingChanges()
        #expect(witness.take() == [.everything, columns(task, "folder")])
        stack.context.delete(folder)
        stack.context.processPendingChanges()
        #expect(Set(witness.take()) == [.deletion, columns(task, "folder")])
    }

    @Test("For objects that were also refreshed, every column counts as changed")
    func refreshed() throws {
        let (stack, task, witness) = try watched()
        task.setValue(7, forKey: "rank")
        stack.context.refresh(task, mergeChanges: true)
        task.setValue(8, forKey: "rank")
        stack.context.processPendingChanges()
        #expect(witness.take() == [.everything])
    }

    @Test("Every column counts as changed if observers may have seen a change before its report")
    func shownMore() throws {
        let (stack, task, witness) = try watched()
        witness.body = { if task.value(forKey: "rank") as? Int64 == 2 { task.setValue(3, forKey: "rank") } }
        task.setValue(2, forKey: "rank")
        stack.context.processPendingChanges()
        #expect(witness.take() == [columns(task, "rank")])
        task.setValue(2, forKey: "rank")
        stack.context.processPendingChanges()
        #expect(witness.take() == [.everything])
        stack.context.processPendingChanges()
        _ = witness.take()
        task.setValue(9, forKey: "rank")
        stack.context.processPendingChanges()
        #expect(witness.take() == [columns(task, "rank")])
    }

    @Test("Every column counts as changed in nested events")
    func nested() throws {
        let (stack, task, witness) = try watched()
        witness.body = {
            guard task.value(forKey: "rank") as? Int64 == 2 else { return }
            task.setValue(3, forKey: "rank")
            stack.context.processPendingChanges()
        }
        task.setValue(2, forKey: "rank")
        stack.context.processPendingChanges()
        #expect(witness.take() == [columns(task, "rank"), .everything])
    }

    // MARK: Results that are up to date

    @Test("Results that missed an event are evaluated for every change")
    func missed() throws {
        let (stack, task, _) = try watched()
        let controller = Controller(
            fetchRequest: TaskStack.request(), managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        try controller.performFetch()
        let recorder = DelegateRecorder()
        controller.delegate = recorder
        #expect(controller.results.hasSeenAll)
        controller.delegate = nil
        controller.delegate = recorder
        #expect(controller.results.hasSeenAll)
        controller.delegate = nil
        task.setValue(true, forKey: "isDone")
        stack.context.processPendingChanges()
        controller.delegate = recorder
        #expect(!controller.results.hasSeenAll)
        #expect(controller.fetchedObjects == [task])
        task.setValue("x", forKey: "note")
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects == [])
        #expect(recorder.take() == ["will 1", "milk delete 0.0 -", "did 0"])
        try controller.performFetch()
        #expect(controller.results.hasSeenAll)
    }

    @Test("Results fetched during an event are up to date after it has ended")
    func withinEvent() throws {
        let (stack, task, _) = try watched()
        let controller = Controller(
            fetchRequest: TaskStack.request(), managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        let recorder = DelegateRecorder()
        controller.delegate = recorder
        task.setValue(true, forKey: "isDone")
        try controller.performFetch()
        #expect(controller.fetchedObjects == [])
        #expect(!controller.results.hasSeenAll)
        // Within the event as a whole the task does not change.
        task.setValue(false, forKey: "isDone")
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects == [task])
        #expect(controller.results.hasSeenAll)
        controller.delegate = nil
        task.setValue(true, forKey: "isDone")
        try controller.performFetch()
        task.setValue(false, forKey: "isDone")
        stack.context.processPendingChanges()
        controller.delegate = recorder
        task.setValue("x", forKey: "note")
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects == [task])
        #expect(!controller.results.hasSeenAll)
    }

    @Test("Results are evaluated again after an object reappeared without an event")
    func silent() throws {
        let (stack, task, _) = try watched()
        let controller = Controller(
            fetchRequest: TaskStack.request(), managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        let recorder = DelegateRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        stack.context.delete(task)
        stack.context.processPendingChanges()
        stack.context.insert(task)
        task.setValue("x", forKey: "note")
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects == [task])
    }
}
