/// A comparison of all that a device has with all that a server has, which goes through the buckets of digests in portions.
/// The ledger changes when all were compared; one that is interrupted begins anew.
struct Comparison: Sendable {
    /// The answer to the first portion, without items.
    let first: ReconcileAnswer
    /// The keys of the ledger's entries, by bucket, where these are still to be compared.
    private var keys: [Int: [ItemKey]]
    /// The first of these buckets.
    private(set) var bucket = 0
    /// The buckets that were different.
    private(set) var differing: Set<Int> = []
    private(set) var hasForgotten = false

    /// What is to be imported, and what both have as it is.
    var received: [ItemKey: InboxItem] = [:]
    var equal: Set<ItemKey> = []
    /// What the server has lost.
    var relays: [PendingChange] = []
    var issues: [SyncIssue] = []

    init(_ first: ReconcileAnswer, _ keys: some Sequence<ItemKey>) {
        var first = first
        first.updates = []
        self.first = first
        self.keys = Dictionary(grouping: keys, by: ZoneDigest.bucket)
    }

    /// Takes the keys in the buckets that an answer compares, in their order.
    ///
    /// - Parameter isWhole: Whether those of equal buckets are asked for, too.
    mutating func takeKeys(_ answer: ReconcileAnswer, isWhole: Bool) -> [ItemKey] {
        let end = answer.next ?? ZoneDigest.buckets
        differing.formUnion(answer.buckets)
        hasForgotten = hasForgotten || answer.hasForgotten
        let taken = (bucket..<end).flatMap { number in
            let keys = keys.removeValue(forKey: number) ?? []
            return isWhole || differing.contains(number) ? keys : []
        }
        bucket = end
        return taken.sorted()
    }
}
