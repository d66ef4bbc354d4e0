extension NSManagedObjectContext {
    final func basePerform(_ block: @escaping () -> Void) {
        queue.async(of: self) { [self] in runEvent(block) }
    }

    final func basePerformAndWait(_ block: () -> Void) {
        if queue.isCurrent { return queue.sync(of: self, block) }
        queue.sync(of: self) { runEvent(block) }
    }

    private final func runEvent(_ block: () -> Void) {
        if let inbox { takeOver(inbox.beginWork()) }
        block()
        processPendingChanges()
        inbox?.endWork()
    }
}
