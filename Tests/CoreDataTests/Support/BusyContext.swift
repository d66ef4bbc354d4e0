import CoreData

/// A context that does other work first, the next time that a caller waits for it.
final class BusyContext: NSManagedObjectContext, @unchecked Sendable {
    var first: (() -> Void)?

    override func performAndWait(_ block: () -> Void) {
        if let first {
            self.first = nil
            super.performAndWait(first)
        }
        super.performAndWait(block)
    }
}
