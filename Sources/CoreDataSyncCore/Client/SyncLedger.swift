/// The entries of a ledger, and those that name an object.
package protocol LedgerReading {
    func entry(_ key: ItemKey) -> LedgerEntry?
    /// Returns the objects that refer to one, in their order; those that were merged into it, too.
    func referrers(of target: SyncID) -> [SyncID]
    func pairs(of object: SyncID) -> [ItemKey]
    /// Takes note of what is asked for next. Changes no answer, only what it takes.
    func load(_ set: WorkingSet)
}

/// What a device remembers between two runs. Each event that the machine handles is one transaction of the
/// ledger; effects are performed after it is committed.
package protocol SyncLedger: LedgerReading {
    var header: LedgerHeader { get set }
    var pending: PendingChanges { get set }
    var inbox: Inbox { get set }
    /// Losses, rejections and questions that the app has not acknowledged.
    var issues: [SyncIssue] { get set }

    mutating func set(_ entry: LedgerEntry?, for key: ItemKey)
    associatedtype Keys: Sequence<ItemKey>
    /// All items, in the order of their keys, as they are now. A loop over them may ask for the entry of each, and change
    /// it.
    var keys: Keys { get }
    /// The digest of all entries, which is kept as they are set.
    var digest: ZoneDigest { get }

    /// Returns the ID of an object of the store, also of one that was named but not captured yet.
    func id(of local: LocalKey) -> SyncID?
    mutating func name(_ local: LocalKey?, _ id: SyncID)
}

/// What a device remembers as a whole.
package struct LedgerHeader: Hashable, Sendable {
    package var replica: ReplicaID
    package var epoch: UInt64 = 0
    /// The server's time less that of the device.
    package var offset: Int64 = 0
    /// The latest time that was received.
    package var received = HybridTime.zero
    /// The latest time that the device gave.
    package var last = HybridTime.zero
    package var nextNumber: UInt64 = 1
    package var receipt: [UInt8] = []
    /// The history's position up to which edits are captured; nil: all objects have to be read.
    package var token: UInt64?
    package var cursor = Cursor(complete: 0)
    /// Where the first reading of the zone stands; nil once it has ended.
    package var snapshot: SnapshotProgress? = SnapshotProgress()
    /// Whether all that the device has is to be compared with what the server has.
    package var needsReconcile = false
    /// Whether the server began another epoch, so that it takes no push before the comparison.
    package var isOutdated = false
    /// The push that was sent and not answered. It is repeated byte by byte.
    package var frozen: [PendingChange] = []
    /// Changes that the server has answered and the store does not show. They are kept until the device has
    /// read what the server made of them: one that is restored before knows nothing of them.
    package var unread: [AnsweredChange] = []
    /// Objects at whose referrers the next import looks: deleted ones that the store still shows, since a new one there
    /// cannot be without them, and those that the app has made once more.
    package var kept: Set<SyncID> = []
    /// Objects of which the store does not take what was received.
    package var parked: Set<SyncID> = []
    /// Values of this device that lost, about which the app is asked once the store shows the winners.
    package var questions: [LostValue] = []
    /// Whether the store is another one than that whose objects the ledger has named, so that nothing is known of
    /// its objects before they are compared with the server's.
    package var isForeign = false
    /// How many objects of such a store the server does not have, and what is to become of them.
    package var unknown = 0
    package var decision: UnknownObjects?
    /// The import that has begun.
    package var intent: ImportIntent?

    package init(replica: ReplicaID) {
        self.replica = replica
    }
}

/// What becomes of objects that only a store has which is an older copy or came from another device.
package enum UnknownObjects: Hashable, Sendable {
    case upload, drop
}

package struct SnapshotProgress: Hashable, Sendable {
    package var after: ItemKey?
    /// The number from which the zone is pulled afterwards.
    package var head: UInt64?
    /// How many items were received, and how many there are about.
    package var received = 0
    package var total: Int?

    package init() {}
}

/// A ledger in memory. A copy of it is what a crash leaves.
package struct DictionaryLedger: SyncLedger, Sendable {
    package var header: LedgerHeader
    package var pending = PendingChanges()
    package var inbox = Inbox()
    package var issues: [SyncIssue] = []
    package private(set) var entries: [ItemKey: LedgerEntry] = [:]
    package private(set) var digest = ZoneDigest()
    private var ids: [LocalKey: SyncID] = [:]
    private var index = LedgerIndex()

    package init(replica: ReplicaID) {
        header = LedgerHeader(replica: replica)
    }

    package func entry(_ key: ItemKey) -> LedgerEntry? { entries[key] }

    package mutating func set(_ entry: LedgerEntry?, for key: ItemKey) {
        let old = entries[key]
        let isNamed = entry?.local.map { ids[$0] == key.object } ?? true
        if entry == old, isNamed { return }
        if let local = old?.local, local != entry?.local, ids[local] == key.object {
            ids[local] = nil
        }
        if let old { index.remove(old, for: key) }
        if let entry { index.insert(entry, for: key) }
        digest.replace(key, old, by: entry)
        entries[key] = entry
        if let local = entry?.local, let id = key.object { ids[local] = id }
    }

    package var keys: [ItemKey] { entries.keys.sorted() }
    package func id(of local: LocalKey) -> SyncID? { ids[local] }
    package mutating func name(_ local: LocalKey?, _ id: SyncID) { if let local { ids[local] = id } }

    package func referrers(of target: SyncID) -> [SyncID] { index.referrers(of: target).sorted() }
    package func pairs(of object: SyncID) -> [ItemKey] { index.pairs(of: object).sorted() }
    package func load(_ set: WorkingSet) {}
}

extension LedgerReading {
    /// Returns the ID under which an object lives.
    package func resolved(_ id: SyncID) -> SyncID {
        var id = id
        while let alias = entry(.object(id))?.alias { id = alias }
        return id
    }
}

extension SyncLedger {
    /// The changes that the server has not answered, the oldest first.
    var unanswered: [PendingChange] { header.frozen + pending.changes }

    /// Returns the last change of a register that the server has not answered.
    func unanswered(_ key: ItemKey, _ register: String?) -> PendingChange? {
        pending[key, register]
            ?? header.frozen.last { $0.change.item == key && $0.change.register == register }
    }
}
