internal import CoreDataSyncCore

/// That an item names an object: a reference leads there, or it is a pair of the object.
struct LedgerLink: Hashable {
    let target: SyncID
    let item: ItemKey

    init(_ item: ItemKey, to target: SyncID) {
        self.item = item
        self.target = target
    }

    init(key: [UInt8]) throws {
        guard key.count > 16 else { throw WireError("a link was expected") }
        target = SyncID(bytes: key[..<16])
        item = try ItemKey(bytes: Array(key[16...]))
    }

    /// Returns the links of an entry.
    static func all(of entry: LedgerEntry?, _ key: ItemKey) -> Set<LedgerLink> {
        guard let entry else { return [] }
        switch key {
        case .object: return Set(entry.targets.map { LedgerLink(key, to: $0) })
        case .pair(_, let first, let second):
            return [LedgerLink(key, to: first), LedgerLink(key, to: second)]
        }
    }

    var key: [UInt8] { target.bytes + item.bytes }
    var secondKey: [UInt8] { Self.secondKey(target, ofPairs: item.object == nil) }

    /// Returns what the links of all pairs, or of all references to an object are found by.
    static func secondKey(_ target: SyncID, ofPairs: Bool) -> [UInt8] { target.bytes + [ofPairs ? 1 : 0] }
}
