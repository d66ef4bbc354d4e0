extension SyncLedger {
    /// Brings a deleted object back for all devices. The server still has what the object was, and sends it.
    ///
    /// - Returns: Whether the object is known and deleted.
    package mutating func restore(_ id: SyncID, milliseconds: UInt64) -> Bool {
        let key = ItemKey.object(id)
        guard var entry = entry(key), entry.alias == nil, !entry.existence.isAlive, entry.existence.length > 0
        else { return false }
        let stamp = tick(milliseconds)
        let base = entry.existence.stamp
        entry.existence = Existence(length: entry.existence.length + 1, stamp: stamp)
        set(entry, for: key)
        let change = Change(
            number: header.nextNumber, item: key, entity: entry.entity,
            edit: .existence(entry.existence.length, seen: header.cursor.complete), stamp: stamp, base: base)
        header.nextNumber += 1
        pending.append(PendingChange(change, milliseconds: milliseconds))
        return true
    }
}
