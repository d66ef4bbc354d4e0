import CoreData

/// Runs an actor on the queue of a context, so that the actor's methods may use the context's objects.
nonisolated final class ContextExecutor: SerialExecutor {
    let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        context.perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// An actor over a context.
protocol ContextActor: Actor {
    nonisolated var executor: ContextExecutor { get }
}

extension ContextActor {
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var context: NSManagedObjectContext { executor.context }
}

/// The tags of a journal.
actor TagStore: ContextActor {
    nonisolated let executor: ContextExecutor
    private var known: [String: Tag] = [:]

    init(_ container: NSPersistentContainer) { executor = ContextExecutor(container.newBackgroundContext()) }

    @discardableResult
    func add(_ names: [String]) throws -> [NSManagedObjectID] {
        let tags = names.map { name in
            let tag = Tag(context: context)
            tag.name = name
            known[name] = tag
            return tag
        }
        try context.save()
        return tags.map(\.objectID)
    }

    func pageCounts() -> [String: Int] { known.mapValues { $0.pages?.count ?? 0 } }
}
