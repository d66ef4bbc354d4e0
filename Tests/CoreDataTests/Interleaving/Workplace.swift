import Foundation
import Testing

@testable import CoreData

/// Contexts over one store that the threads of an interleaving use, and the reference that has the expected
/// content of each.
///
/// The reference changes when the contexts do: an edit at once, a save when it is committed, a merge at the
/// end of its block. A read during other threads' work may have the content of any moment since: the
/// reference is kept for each moment, and one has to fit. Each block on a context's queue ends with a check
/// of all objects that the context has loaded, without loading more.
final class Workplace: @unchecked Sendable {
    typealias Key = WorkReference.Key
    typealias Item = WorkReference.Item

    /// The contexts and how they are connected.
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        /// The parent of each context, nil for contexts that work with the store. Parents come first.
        let parents: [Int?]
        /// The contexts that merge saves automatically.
        var merging: Set<Int> = []
        /// The contexts pinned to a query generation.
        var pinned: Set<Int> = []
        /// The contexts whose items a fetched results controller follows.
        var followed: Set<Int> = []

        var testDescription: String { name }
    }

    /// The current work of a thread.
    final class Task {
        let worker: Int
        /// When it began: how often the reference had changed.
        let start: Int
        var save: Save?

        struct Save {
            let policy: WorkReference.Policy
            /// The saved content, once it is saved.
            var content: WorkReference.Save?
            /// When the store had taken it. Others may read what was before until the save is over.
            var commit: Int?
            var conflicts: Set<Key> = []
        }

        init(_ worker: Int, start: Int) { (self.worker, self.start) = (worker, start) }
    }

    private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
    }

    final class Worker {
        let context: SteppedContext
        var groups: [NSManagedObject] = []
        /// Every object that was handed out, by key, while it is one of the context's.
        var items: [Key: NSManagedObject] = [:]
        /// Items that were read anew since so many changes of the reference.
        var unsettled: [Key: Int] = [:]
        /// Since when the moment may be that a pinned context reads from.
        var pinnedSince: Int?
        /// Saves of others, not merged yet.
        var unseen: [Notification] = []
        var results: NSFetchedResultsController<NSManagedObject>?

        init(_ context: SteppedContext) { self.context = context }

        func index(of group: NSManagedObject?) -> Int? { groups.firstIndex { $0 === group } }
    }

    let interleaving = Interleaving()
    private let turns = MergeTurns(count: 1)
    let shape: Shape
    let coordinator: NSPersistentStoreCoordinator
    private(set) var workers: [Worker] = []
    private(set) var past: [WorkReference]
    private(set) var faults: [String] = []
    /// The operations and their results, put into words once the log is read.
    private var log: [() -> String] = []
    /// Every item by the IDs that it had.
    var keys: [NSManagedObjectID: Key] = [:]
    /// The roots of the trees in which temporary IDs stand for something.
    var homes: [NSManagedObjectID: Int] = [:]
    /// Results follow their context only if they have a delegate.
    private let follower = Follower()
    private var lastValue = 0
    private var lastKey = 0
    /// The moments before those commits whose saves are not over.
    var unfinishedCommits: [Int] = []
    private var observations: [any NSObjectProtocol] = []

    var reference: WorkReference { past[past.count - 1] }
    var now: Int { past.count - 1 }

    /// - Parameter count: How many items the store has at first.
    init(_ shape: Shape, items count: Int) throws {
        self.shape = shape
        past = []
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: WorkReference.model())
        let store = try SteppedStore.added(to: coordinator, interleaving)
        store.didCommit = { [unowned self] in noteCommit($1) }
        try makeItems(count)
        for index in shape.parents.indices { try makeWorker(index) }
    }

    deinit { observations.forEach(NotificationCenter.default.removeObserver) }

    private func makeItems(_ count: Int) throws {
        var items: [Key: Item] = [:]
        for _ in 0..<count { items[nextKey()] = Item(name: nextValue()) }
        past = [WorkReference(parents: shape.parents, items: items)]
        let setup = coordinator.context(.privateQueue)
        try setup.performAndWait {
            for name in 0..<2 { _ = setup.insert("Group", ["name": name]) }
            for (key, item) in items { _ = setup.insert("Item", ["key": key, "name": item.name]) }
            try setup.save()
        }
    }

    private func makeWorker(_ index: Int) throws {
        let context = SteppedContext(interleaving, turns, "\(index)")
        if let parent = shape.parents[index] {
            context.parent = workers[parent].context
        } else {
            context.persistentStoreCoordinator = coordinator
        }
        context.automaticallyMergesChangesFromParent = shape.merging.contains(index)
        let worker = Worker(context)
        workers.append(worker)
        try context.performAndWait {
            worker.groups = try context.fetch("Group", nil, [], sortedBy: "name")
            for group in worker.groups { _ = group.value(forKey: "name") }
            if shape.pinned.contains(index) {
                try context.setQueryGenerationFrom(.current)
                worker.pinnedSince = now
            }
            if shape.followed.contains(index) {
                worker.results = try follow(context)
                for object in worker.results?.fetchedObjects ?? [] { meet(object, in: index, since: now) }
            }
        }
        observations.append(
            NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: context, queue: nil
            ) { [unowned self] in note($0, by: index) })
        context.didRun = { [unowned self] in endBlock(on: index) }
        context.taskOfBlock = { [unowned self] in Task(index, start: now) }
        context.merging = { [unowned self] in merge($0, into: index, $1) }
    }

    private func follow(_ context: NSManagedObjectContext) throws -> NSFetchedResultsController<
        NSManagedObject
    > {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        results.delegate = follower
        try results.performFetch()
        return results
    }

    // MARK: The reference

    func change(_ body: (inout WorkReference) -> Void) {
        var next = reference
        body(&next)
        past.append(next)
    }

    /// Corrects the reference's knowledge of a context, not its content.
    func correct(_ index: Int, _ body: (inout WorkReference.View) -> Void) {
        body(&past[past.count - 1].views[index])
    }

    func nextKey() -> Key {
        lastKey += 1
        return lastKey
    }

    /// Returns a new value each time: values show by whom and when they were written.
    func nextValue() -> Int {
        lastValue += 1
        return 1000 + lastValue
    }

    // MARK: Tasks

    /// The work of the current thread.
    var task: Task? {
        get { interleaving.current?.task as? Task }
        set { interleaving.current?.task = newValue }
    }

    // MARK: What happens

    func say(_ text: @autoclosure @escaping () -> String) { log.append(text) }

    var story: String { log.map { $0() }.joined(separator: "\n") }

    /// Records the first fault, which explains later ones.
    func fail(_ text: String) {
        guard faults.isEmpty else { return }
        faults.append(text)
        say("but \(text)")
    }

    /// The store has taken a save of the present thread's, or refused it.
    private func noteCommit(_ error: (any Error)?) {
        guard let task, let save = task.save else { return }
        let conflicts = reference.conflicts(of: task.worker)
        if error == nil {
            if save.conflicts.isEmpty, !conflicts.isEmpty { fail("\(task.worker) saved over \(conflicts)") }
            noteSave(of: task)
            unfinishedCommits.append(now - 1)
            task.save?.commit = now - 1
            say("\(task.worker) is saved")
        } else {
            if save.conflicts.isEmpty, conflicts.isEmpty { say("conflict of \(task.worker)'s groups") }
            task.save?.conflicts.formUnion(conflicts)
        }
    }

    /// Notes what a thread saves, in the reference.
    func noteSave(of task: Task) {
        guard let save = task.save else { return }
        change { _ = $0.save(task.worker, save.policy) }
        for key in save.conflicts { workers[task.worker].unsettled[key] = task.start }
        task.save?.content = reference.lastSave
    }

    /// Notes a save in the tree for contexts that merge later, unless they merge automatically.
    private func note(_ notification: Notification, by saved: Int) {
        for (index, worker) in workers.enumerated() where index != saved {
            let parent = shape.parents[index]
            guard parent == saved || parent == shape.parents[saved], !shape.merging.contains(index) else {
                continue
            }
            worker.unseen.append(notification)
        }
    }

    /// A block on a context's queue ends, run by a thread that may work for another context.
    private func endBlock(on index: Int) {
        guard let task else { return }
        if let save = task.save, save.content == nil, shape.parents[task.worker] == index,
            !workers[task.worker].context.tracker.hasChanges
        {
            // The parent has read them in the block.
            for key in reference.views[task.worker].mine.keys where !reference.views[index].knows(key) {
                workers[index].unsettled[key] = task.start
            }
            noteSave(of: task)
            say("\(task.worker) is saved to \(index)")
        }
        look(at: index, since: task.start)
        lookAtResults(of: index)
        workers[index].unsettled = [:]
    }

    /// Merges another context's save: before one of the context's blocks begins, in a block of its own, or on
    /// request.
    private func merge(_ notification: Notification, into index: Int, _ merge: () -> Void) {
        let (worker, start) = (workers[index], now)
        if worker.pinnedSince != nil { worker.pinnedSince = start }
        let changed = [
            NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSUpdatedObjectIDsKey,
            NSDeletedObjectIDsKey, NSRefreshedObjectIDsKey,
        ].compactMap { notification.userInfo?[$0] as? Set<NSObject> }.joined()
        for value in changed {
            guard let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID,
                let key = keys[id]
            else { continue }
            worker.unsettled[key] = start
        }
        merge()
        say("\(index) has merged")
        look(at: index, since: start)
    }
}
