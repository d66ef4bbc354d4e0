/// Changes of one replica. The server applies all of them in one transaction, or none.
package struct PushRequest: Hashable, Sendable {
    package var epoch: UInt64
    package var replica: ReplicaID
    /// The receipt of the push before; empty for the first. By it the server recognizes a push that it has
    /// seen, and a second device with the replica's ID.
    package var previous: [UInt8]
    /// The latest time that the replica has received. A server that was restored on a machine whose clock is
    /// behind goes on from there.
    package var received: HybridTime
    package var changes: [Change]

    package init(
        epoch: UInt64, replica: ReplicaID, previous: [UInt8], received: HybridTime = .zero, changes: [Change]
    ) {
        self.epoch = epoch
        self.replica = replica
        self.previous = previous
        self.received = received
        self.changes = changes
    }
}

package struct PushAnswer: Hashable, Sendable {
    package var receipt: [UInt8]
    /// One for each change, in their order.
    package var outcomes: [Outcome]
    /// The number that the push got in the zone.
    package var sequence: UInt64

    package init(receipt: [UInt8], outcomes: [Outcome], sequence: UInt64) {
        self.receipt = receipt
        self.outcomes = outcomes
        self.sequence = sequence
    }
}

/// Where a reader stands in the changes of a zone.
package struct Cursor: Hashable, Sendable {
    /// The number up to which everything is known. Registers up to it are not sent again.
    package var complete: UInt64
    /// The last row that was read on the way to the head.
    package var sequence: UInt64
    package var item: ItemKey?

    package init(complete: UInt64, sequence: UInt64? = nil, item: ItemKey? = nil) {
        self.complete = complete
        self.sequence = sequence ?? complete
        self.item = item
    }
}

package struct PullRequest: Hashable, Sendable {
    package var epoch: UInt64
    package var cursor: Cursor
    package var limit: Int

    package init(epoch: UInt64, cursor: Cursor, limit: Int) {
        self.epoch = epoch
        self.cursor = cursor
        self.limit = limit
    }
}

/// An item with those of its registers that the reader does not have.
package struct ItemUpdate: Hashable, Sendable {
    package var item: ItemKey
    package var state: ItemState

    package init(item: ItemKey, state: ItemState) {
        self.item = item
        self.state = state
    }
}

package struct ChangesPage: Hashable, Sendable {
    package var updates: [ItemUpdate]
    package var lost: [LostValue]
    package var next: Cursor
    /// Whether the pages since the first one are exactly the state at `next.complete`.
    package var isComplete: Bool
    /// The digest of the zone at that state.
    package var digest: UInt64

    package init(
        updates: [ItemUpdate], lost: [LostValue], next: Cursor, isComplete: Bool, digest: UInt64
    ) {
        self.updates = updates
        self.lost = lost
        self.next = next
        self.isComplete = isComplete
        self.digest = digest
    }
}

/// Asks for all items in the order of their keys, for a new replica.
package struct SnapshotRequest: Hashable, Sendable {
    package var epoch: UInt64
    package var after: ItemKey?
    package var limit: Int

    package init(epoch: UInt64, after: ItemKey?, limit: Int) {
        self.epoch = epoch
        self.after = after
        self.limit = limit
    }
}

package struct SnapshotPage: Hashable, Sendable {
    package var updates: [ItemUpdate]
    /// The zone's number when the page was read. A reader pulls from that of its first page on.
    package var head: UInt64
    /// How many items there were when the first page was read; nil on the others.
    package var total: Int?
    package var isComplete: Bool

    package init(updates: [ItemUpdate], head: UInt64, total: Int? = nil, isComplete: Bool) {
        self.updates = updates
        self.head = head
        self.total = total
        self.isComplete = isComplete
    }
}

/// Compares what a replica has with what the zone has, by the digests of 256 buckets of items.
package struct ReconcileRequest: Hashable, Sendable {
    /// The epoch that the replica knows.
    package var epoch: UInt64
    package var buckets: [UInt64]
    /// The first bucket that is to be compared, and how many items about are answered at a time; nil: all of them.
    package var from: Int
    package var limit: Int?

    package init(epoch: UInt64, buckets: [UInt64], from: Int = 0, limit: Int? = nil) {
        self.epoch = epoch
        self.buckets = buckets
        self.from = from
        self.limit = limit
    }
}

package struct ReconcileAnswer: Hashable, Sendable {
    package var epoch: UInt64
    package var head: UInt64
    /// The items in buckets that differ, with their states.
    package var updates: [ItemUpdate]
    /// The numbers of buckets that differ.
    package var buckets: [Int]
    /// If the server was restored since the replica's epoch: the number up to which it kept the zone.
    package var keptUntil: UInt64?
    /// Whether the server has forgotten anything since, so that an item that is missing may be one of those.
    package var hasForgotten: Bool
    /// The first bucket that was not compared; nil if all were.
    package var next: Int?

    package init(
        epoch: UInt64, head: UInt64, updates: [ItemUpdate], buckets: [Int], keptUntil: UInt64?,
        hasForgotten: Bool, next: Int? = nil
    ) {
        self.epoch = epoch
        self.head = head
        self.updates = updates
        self.buckets = buckets
        self.keptUntil = keptUntil
        self.hasForgotten = hasForgotten
        self.next = next
    }
}

/// What a replica asks a server.
package enum SyncRequest: Hashable, Sendable {
    case push(PushRequest)
    case pull(PullRequest)
    case snapshot(SnapshotRequest)
    case reconcile(ReconcileRequest)
    case task(TaskRequest)
}

package enum SyncAnswer: Hashable, Sendable {
    case push(PushAnswer)
    case pull(ChangesPage)
    case snapshot(SnapshotPage)
    case reconcile(ReconcileAnswer)
    case task(TaskState)
    case refused(Refusal)
}

/// An answer, and the server's time, by which a replica corrects its clock.
package struct SyncResponse: Hashable, Sendable {
    package var answer: SyncAnswer
    package var milliseconds: UInt64

    package init(_ answer: SyncAnswer, milliseconds: UInt64) {
        self.answer = answer
        self.milliseconds = milliseconds
    }
}

/// Why the server did nothing of what was asked.
package enum Refusal: Error, Hashable, Sendable {
    /// The server was restored from a backup. The replica reconciles and comes back with this epoch.
    case epoch(UInt64)
    /// The server has forgotten deletions that the cursor has not seen. The replica reconciles.
    case forgotten
    /// Another device pushes with this replica's ID. The replica takes a new one. The very push may have been
    /// taken from the other device.
    case clone(isTaken: Bool)
    /// A stamp lies too far ahead. The replica stamps again by the server's time.
    case clockAhead
    /// A change of a push is none: it has more than is allowed, or what the schema does not have.
    case invalid(String)
    /// The rules of the model could not be applied within the limit of steps.
    case tooManySteps(String)
}
