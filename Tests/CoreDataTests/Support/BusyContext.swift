import CoreData

/// A context that has something else to do first, the next time that somebody waits for it.
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
