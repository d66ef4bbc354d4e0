extension SyncLedger {
    /// Takes note that objects have other names in the store now: a migration has given them other keys. An import
    /// that has begun has taken part in the migration.
    ///
    /// - Parameter newName: Returns the new name of an object; nil if it keeps the one that it has.
    package mutating func moveObjects(_ newName: (LocalKey) -> LocalKey?) {
        func moved(_ entry: LedgerEntry) -> LedgerEntry? {
            guard let name = entry.local.flatMap(newName) else { return nil }
            var entry = entry
            entry.local = name
            return entry
        }
        var changed: [(key: ItemKey, entry: LedgerEntry)] = []
        for key in keys {
            guard let entry = entry(key), let new = moved(entry) else { continue }
            changed.append((key, new))
            // Another object may get the name that this one has had.
            var nameless = entry
            nameless.local = nil
            set(nameless, for: key)
        }
        for (key, entry) in changed { set(entry, for: key) }
        guard var intent = header.intent else { return }
        intent.created = intent.created.mapValues { newName($0) ?? $0 }
        intent.entries = intent.entries.mapValues { entry in entry.map { moved($0) ?? $0 } }
        header.intent = intent
    }
}
