extension NSManagedObjectContext {
    final func enqueue(_ block: @escaping () -> Void) {
        queue.async { [self] in
            CurrentContext.run(block, in: self)
            processPendingChanges()
        }
    }

    final func runAndWait(_ block: () -> Void) {
        if queue.isCurrent { return CurrentContext.run(block, in: self) }
        queue.sync {
            CurrentContext.run(block, in: self)
            processPendingChanges()
        }
    }
}
