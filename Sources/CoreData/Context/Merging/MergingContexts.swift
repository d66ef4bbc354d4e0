import Synchronization

/// The contexts of a coordinator, or the children of a context, that automatically merge the saves of other
/// contexts.
final class MergingContexts: Sendable {
    private let inboxes = Mutex<[MergeInbox]>([])
    /// The turns that merges wait for if they need a thread; nil if they do not wait.
    private let turns: MergeTurns?

    init(turns: MergeTurns?) {
        self.turns = turns
    }

    func set(_ merges: Bool, for context: NSManagedObjectContext) {
        remove(context.inbox)
        guard merges else { return }
        // The main queue has a thread of its own.
        let turns = context.concurrencyType == .mainQueueConcurrencyType ? nil : turns
        let inbox = context.inbox(waitingFor: turns)
        inboxes.withLock { $0.append(inbox) }
    }

    func remove(_ inbox: MergeInbox?) {
        guard let inbox else { return }
        inboxes.withLock { inboxes in inboxes.removeAll { $0 === inbox } }
    }

    /// Tells the contexts what another one saved.
    func notify(_ idInfo: [AnyHashable: Any], from source: NSManagedObjectContext) {
        let save = MergeInbox.Save(idInfo: idInfo, source: source.link)
        for inbox in inboxes.withLock(\.self) where inbox !== source.inbox { inbox.deliver(save) }
    }

    /// Tells all contexts what other coordinators or processes committed.
    ///
    /// - Parameter idInfo: The rows; empty if any may have changed.
    func notify(foreign idInfo: [AnyHashable: Any]) {
        let save = MergeInbox.Save(idInfo: idInfo, source: nil)
        for inbox in inboxes.withLock(\.self) { inbox.deliver(save) }
    }
}
