extension NSManagedObjectContext {
    final func enqueue(_ block: @escaping () -> Void) {
        queue.async(of: self) { [self] in
            block()
            processPendingChanges()
        }
    }

    final func runAndWait(_ block: () -> Void) {
        if queue.isCurrent { return queue.sync(of: self, block) }
        queue.sync(of: self) {
            block()
            processPendingChanges()
        }
    }
}
