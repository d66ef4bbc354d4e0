extension NSManagedObjectContext {
    final func basePerform(_ block: @escaping () -> Void) {
        queue.async(of: self) { [self] in runEvent(block) }
    }

    final func basePerformAndWait(_ block: () -> Void) {
        if queue.type == .confinementConcurrencyType { takeOverSaves() }
        if queue.isCurrent { return queue.sync(of: self, block) }
        queue.sync(of: self) { runEvent(block) }
    }

    /// Runs a job on the context's queue, after some seconds or as soon as it is free, as an event of its
    /// own.
    ///
    /// Unlike a block of `perform`, a job does not belong to the caller's actor.
    package final func enqueueJob(after delay: Double = 0, _ job: @escaping @Sendable () -> Void) {
        queue.asyncJob(of: self, after: delay) { [self] in runEvent(job) }
    }

    private final func runEvent(_ block: () -> Void) {
        if let inbox { takeOver(inbox.beginWork()) }
        block()
        processPendingChanges()
        inbox?.endWork()
    }
}
