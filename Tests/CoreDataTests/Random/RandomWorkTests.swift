import CoreData
import Foundation
import Testing

/// Four contexts over two coordinators work on one store without waiting for each other: they edit, undo,
/// save over others' saves, merge late, roll back. A reference over dictionaries has the expected content of
/// each.
@Suite("Random work: contexts follow the rules")
@MainActor
struct RandomWorkTests {
    private typealias Key = WorkReference.Key

    /// A context with all of its known objects, by key.
    private final class Worker {
        let context: NSManagedObjectContext
        let undoManager = UndoManager()
        var items: [Key: NSManagedObject] = [:]
        var groups: [NSManagedObject] = []
        /// Saves of other contexts, not merged yet.
        var unseen: [Notification] = []
        /// The view before each step that can be undone, and after each undone one.
        var undoable: [WorkReference.View] = []
        var redoable: [WorkReference.View] = []

        @MainActor
        init(_ coordinator: NSPersistentStoreCoordinator) throws {
            context = coordinator.context(.mainQueue)
            undoManager.groupsByEvent = false
            context.undoManager = undoManager
            groups = try context.fetch("Group", nil, [], sortedBy: "name")
        }

        func forgetSteps() {
            context.processPendingChanges()
            undoManager.removeAllActions()
            (undoable, redoable) = ([], [])
        }

        func index(of group: NSManagedObject?) -> Int? { groups.firstIndex { $0 === group } }
    }

    /// The workers, their expected content, and the log of operations.
    private struct Shop {
        let folder: ScratchFolder
        var workers: [Worker] = []
        var reference = WorkReference(contexts: 4)
        var log: [String] = []
        private var nextKey = 0

        @MainActor
        init() throws {
            folder = try ScratchFolder()
            for index in 0..<2 {
                let coordinator = NSPersistentStoreCoordinator(
                    managedObjectModel: WorkReference.model())
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file())
                if index == 0 {
                    let setup = coordinator.context(.mainQueue)
                    for name in 0..<3 { _ = setup.insert("Group", ["name": name]) }
                    try setup.save()
                }
                for _ in 0..<2 { workers.append(try Worker(coordinator)) }
            }
        }

        // MARK: Edits

        @MainActor
        mutating func edit(_ index: Int, _ random: inout SeededGenerator) {
            let worker = workers[index]
            let before = reference.views[index]
            worker.undoManager.beginUndoGrouping()
            defer {
                worker.context.processPendingChanges()
                worker.undoManager.endUndoGrouping()
                worker.undoable.append(before)
                worker.redoable = []
            }
            let keys = before.visible.keys.sorted()
            guard !keys.isEmpty, !random.chance(25) else { return insert(in: index, &random) }
            let key = random.pick(keys)
            guard let object = worker.items[key] else { return }
            let value = random.number(0...1000)
            switch random.number(0...9) {
            case 0...2:
                log.append("\(index): name of \(key) = \(value)")
                object.setValue(value, forKey: "name")
                reference.views[index].mine[key]?.name = value
            case 3...4:
                let number = random.chance(20) ? nil : value
                log.append("\(index): number of \(key) = \(String(describing: number))")
                object.setValue(number, forKey: "number")
                reference.views[index].mine[key]?.number = number
            case 5...7:
                let group = random.chance(20) ? nil : random.number(0...2)
                log.append("\(index): group of \(key) = \(String(describing: group))")
                object.setValue(group.map { worker.groups[$0] }, forKey: "group")
                reference.views[index].mine[key]?.group = group
            default:
                log.append("\(index): delete \(key)")
                worker.context.delete(object)
                if before.base[key] == nil {
                    reference.views[index].forget(key)
                } else {
                    reference.views[index].deleted.insert(key)
                }
            }
        }

        @MainActor
        private mutating func insert(in index: Int, _ random: inout SeededGenerator) {
            let key = nextKey
            nextKey += 1
            let name = random.number(0...1000)
            log.append("\(index): insert \(key), name \(name)")
            workers[index].items[key] = workers[index].context.insert("Item", ["key": key, "name": name])
            reference.views[index].mine[key] = WorkReference.Item(name: name)
        }

        @MainActor
        mutating func stepBack(_ index: Int, isUndo: Bool) {
            let worker = workers[index]
            guard let view = isUndo ? worker.undoable.popLast() : worker.redoable.popLast() else { return }
            log.append("\(index): \(isUndo ? "undo" : "redo")")
            let present = reference.views[index]
            if isUndo {
                worker.redoable.append(present)
                worker.context.undo()
            } else {
                worker.undoable.append(present)
                worker.context.redo()
            }
            reference.views[index] = view
            reference.views[index].unseen = present.unseen
        }

        // MARK: Saves and merges

        @MainActor
        mutating func save(_ index: Int, _ random: inout SeededGenerator) throws -> Bool {
            let worker = workers[index]
            let policy = random.pick(WorkReference.Policy.allCases)
            worker.context.mergePolicy =
                switch policy {
                case .error: NSMergePolicy.error
                case .objectTrump: NSMergePolicy.mergeByPropertyObjectTrump
                case .storeTrump: NSMergePolicy.mergeByPropertyStoreTrump
                case .overwrite: NSMergePolicy.overwrite
                case .rollback: NSMergePolicy.rollback
                }
            log.append("\(index): save with \(policy)")
            nonisolated(unsafe) var saved: Notification?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: worker.context, queue: nil
            ) { saved = $0 }
            defer { NotificationCenter.default.removeObserver(token) }
            var saving = reference
            let succeeds = saving.save(index, policy)
            do {
                try worker.context.save()
            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                log.append("\(index): conflict")
                let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
                // A group to which both sides have added items is in conflict as well.
                return !succeeds || list.allSatisfy { $0.sourceObject.entity.name == "Group" }
            }
            reference = saving
            if let saved {
                for (other, worker) in workers.enumerated() where other != index {
                    worker.unseen.append(saved)
                }
            }
            refreshGroups(of: worker)
            worker.forgetSteps()
            return succeeds
        }

        /// Refreshes the groups. Their members may have been read before the items were up to date, and a
        /// worker that overwrote another's change of an item did not know, nor report, which group lost the
        /// item.
        @MainActor
        private func refreshGroups(of worker: Worker) {
            for group in worker.groups { worker.context.refresh(group, mergeChanges: true) }
        }

        @MainActor
        mutating func merge(_ index: Int) throws {
            log.append("\(index): merge \(workers[index].unseen.count)")
            for save in workers[index].unseen {
                workers[index].context.mergeChanges(fromContextDidSave: save)
            }
            workers[index].unseen = []
            refreshGroups(of: workers[index])
            workers[index].forgetSteps()
            let undecided = reference.merge(into: index)
            for object in try workers[index].context.fetch("Item", nil, [], sortedBy: nil) {
                guard let key = object.value(forKey: "key") as? Int,
                    reference.views[index].mine[key] != nil
                else { continue }
                workers[index].items[key] = object
                if undecided.contains(key) {
                    reference.accept(Self.item(of: object, for: workers[index]), of: key, in: index)
                }
            }
        }

        @MainActor
        mutating func rollBack(_ index: Int) {
            log.append("\(index): roll back")
            workers[index].context.rollback()
            workers[index].forgetSteps()
            reference.views[index].rollBack()
        }

        // MARK: Checking

        private static func item(of object: NSManagedObject, for worker: Worker) -> WorkReference.Item {
            WorkReference.Item(
                name: object.value(forKey: "name") as? Int ?? -1,
                number: object.value(forKey: "number") as? Int,
                group: worker.index(of: object.value(forKey: "group") as? NSManagedObject))
        }

        /// Returns the context's first difference from the reference, or nil.
        @MainActor
        func fault(of index: Int) -> String? {
            let worker = workers[index]
            let view = reference.views[index]
            let visible = view.visible
            for (key, object) in worker.items {
                let isThere = object.managedObjectContext != nil && !object.isDeleted
                guard isThere == (visible[key] != nil) else {
                    return "\(key) is \(isThere ? "there" : "gone") in \(index)"
                }
            }
            for (key, item) in visible {
                guard let object = worker.items[key] else { return "\(key) is missing in \(index)" }
                let found = Self.item(of: object, for: worker)
                if found != item { return "\(key) in \(index) is \(found) instead of \(item)" }
            }
            let current = Set(visible.keys.filter { view.base[$0]?.version == reference.rows[$0]?.version })
            for (number, group) in worker.groups.enumerated() {
                // Members are read when they are needed: of items that others changed, they may be newer.
                let found = (group.value(forKey: "items") as? Set<NSManagedObject> ?? [])
                    .compactMap { $0.value(forKey: "key") as? Int }.filter(current.contains).sorted()
                let wanted = visible.filter { $0.value.group == number }.keys.filter(current.contains)
                    .sorted()
                if found != wanted { return "group \(number) in \(index) has \(found) instead of \(wanted)" }
            }
            let isChanged = !view.inserted.isEmpty || !view.changed.isEmpty || !view.deleted.isEmpty
            if isChanged, !worker.context.hasChanges { return "\(index) has no changes" }
            return nil
        }

        /// Returns the file's content as a new context reads it.
        @MainActor
        func faultOfStore() throws -> String? {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: WorkReference.model())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file())
            let reader = try Worker(coordinator)
            var found: [Key: WorkReference.Item] = [:]
            for object in try reader.context.fetch("Item", nil, [], sortedBy: nil) {
                found[object.value(forKey: "key") as? Int ?? -1] = Self.item(of: object, for: reader)
            }
            let wanted = reference.rows.mapValues(\.item)
            return found == wanted ? nil : "the store has \(found) instead of \(wanted)"
        }
    }

    @Test(
        "After every step the contexts follow the rules, and so does the store at the end",
        arguments: RandomRun.seeds)
    func work(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var shop = try Shop()
        for step in 0..<RandomRun.casesPerModel * 2 {
            let index = random.number(0...3)
            var isRight = true
            switch random.number(0...99) {
            case 0..<55: shop.edit(index, &random)
            case 55..<65: shop.stepBack(index, isUndo: true)
            case 65..<70: shop.stepBack(index, isUndo: false)
            case 70..<84: isRight = try shop.save(index, &random)
            case 84..<96: try shop.merge(index)
            default: shop.rollBack(index)
            }
            var fault = isRight ? nil : "the save of \(index) ended otherwise"
            for worker in shop.workers.indices { fault = fault ?? shop.fault(of: worker) }
            if step % 20 == 19 { fault = try fault ?? shop.faultOfStore() }
            guard fault == nil else {
                Issue.record("seed \(seed): \(fault ?? "") after\n\(shop.log.joined(separator: "\n"))")
                return
            }
        }
    }
}
