package import CoreDataSyncCore
internal import Synchronization

/// The entries that the file of a ledger has, of which those are in memory that the present step has asked for.
package final class StoredEntries: LedgerReading, Sendable {
    private let file: LedgerReader
    private let known = Mutex(Known())

    /// How many entries stay in memory for the next step. The steps of one import or push need the same ones.
    private static let limit = 5000
    /// How many entries are read at once while all are gone through.
    static let portion = 500

    private struct Known: Sendable {
        /// Entries, nil for those that the file does not have.
        var entries: [ItemKey: LedgerEntry?] = [:]
        var names: [LocalKey: SyncID?] = [:]
        var referrers: [SyncID: [SyncID]] = [:]
        var pairs: [SyncID: [ItemKey]] = [:]
        /// Whether the file has links, as no file has of a model without relationships; nil: that was not asked.
        var hasLinks: Bool?
        /// Entries that were read while all are gone through.
        var portion: [ItemKey: LedgerEntry] = [:]

        mutating func add(_ entry: LedgerEntry, _ key: ItemKey) {
            entries[key] = .some(entry)
            if let local = entry.local, let id = key.object { names[local] = .some(id) }
        }

        /// Returns an entry, nil for one that the file does not have; nil for one that was not read.
        func find(_ key: ItemKey) -> LedgerEntry?? {
            if let found = entries[key] { return .some(found) }
            if let found = portion[key] { return .some(found) }
            // The file has no other pairs of an object than those that were read.
            if case .pair(_, let first, let second) = key,
                let pairs = pairs[first] ?? pairs[second], !pairs.contains(key)
            {
                return .some(nil)
            }
            return nil
        }
    }

    init(_ file: LedgerReader) { self.file = file }

    /// Takes note of what was written to the file, and forgets what it had if that is much.
    ///
    /// - Parameters:
    ///   - entries: The entries that were written, nil for those that were deleted.
    ///   - names: The names that lead elsewhere since.
    func noteWritten(_ entries: [ItemKey: LedgerEntry?], names: some Sequence<LocalKey>) {
        known.withLock { known in
            guard known.entries.count + known.names.count + entries.count <= Self.limit else {
                known = Known()
                return
            }
            guard !entries.isEmpty else { return }
            (known.referrers, known.pairs, known.portion, known.hasLinks) = ([:], [:], [:], nil)
            for name in names { known.names[name] = nil }
            for (key, entry) in entries {
                if let entry { known.add(entry, key) } else { known.entries[key] = .some(nil) }
            }
        }
    }

    // MARK: Answers

    package func entry(_ key: ItemKey) -> LedgerEntry? {
        guard file.hasFile else { return nil }
        if let found = known.withLock({ $0.find(key) }) { return found }
        load(WorkingSet(entries: [key]))
        return known.withLock { $0.find(key) } ?? nil
    }

    func id(of local: LocalKey) -> SyncID? {
        guard file.hasFile else { return nil }
        if let found = known.withLock({ $0.names[local] }) { return found }
        load(WorkingSet(names: [local]))
        return known.withLock { $0.names[local] } ?? nil
    }

    package func referrers(of target: SyncID) -> [SyncID] {
        guard file.hasFile else { return [] }
        if let found = known.withLock({ $0.referrers[target] }) { return found }
        load(WorkingSet(referrers: [target]))
        return known.withLock { $0.referrers[target] } ?? []
    }

    package func pairs(of object: SyncID) -> [ItemKey] {
        guard file.hasFile else { return [] }
        if let found = known.withLock({ $0.pairs[object] }) { return found }
        load(WorkingSet(pairs: [object]))
        return known.withLock { $0.pairs[object] } ?? []
    }

    /// Returns the keys of all entries.
    func keys() -> [ItemKey] {
        var keys: [ItemKey] = []
        file.read { file in try file.forEachKey(of: .entry) { keys.append(try ItemKey(bytes: $0)) } }
        return keys
    }

    // MARK: Reading

    package func load(_ set: WorkingSet) {
        file.read { file in
            try loadEntries(set.entries, file)
            try loadNames(set.names, file)
            try loadReferrers(of: set.referrers, file)
            try loadPairs(of: set.pairs, file)
        }
    }

    private func loadEntries(_ keys: some Sequence<ItemKey>, _ file: LedgerTables) throws {
        let missing = known.withLock { known in keys.filter { known.find($0) == nil } }
        guard !missing.isEmpty else { return }
        let rows = try file.rows(of: .entry, LedgerModel.key, in: missing.map(\.bytes))
        try add(rows) { known in
            for key in missing where known.entries[key] == nil { known.entries[key] = .some(nil) }
        }
    }

    private func loadNames(_ names: Set<LocalKey>, _ file: LedgerTables) throws {
        let missing = known.withLock { known in names.filter { known.names[$0] == nil } }
        guard !missing.isEmpty else { return }
        let rows = try file.rows(of: .entry, LedgerModel.secondKey, in: missing.map { Array($0.utf8) })
        try add(rows) { known in
            for name in missing where known.names[name] == nil { known.names[name] = .some(nil) }
        }
    }

    private func add(_ rows: [LedgerRows.Row], _ body: (inout Known) -> Void) throws {
        let entries = try rows.map { (try ItemKey(bytes: $0.key), try LedgerEntry(bytes: $0.bytes)) }
        known.withLock { known in
            for (key, entry) in entries { known.add(entry, key) }
            body(&known)
        }
    }

    private func loadReferrers(of targets: Set<SyncID>, _ file: LedgerTables) throws {
        let missing = known.withLock { known in targets.filter { known.referrers[$0] == nil } }
        let found = try links(to: missing, ofPairs: false, file)
        known.withLock { known in
            for id in missing { known.referrers[id] = (found[id] ?? []).compactMap(\.object).sorted() }
        }
        try loadEntries(found.values.joined(), file)
    }

    private func loadPairs(of objects: Set<SyncID>, _ file: LedgerTables) throws {
        let missing = known.withLock { known in objects.filter { known.pairs[$0] == nil } }
        let found = try links(to: missing, ofPairs: true, file)
        known.withLock { known in for id in missing { known.pairs[id] = (found[id] ?? []).sorted() } }
        try loadEntries(found.values.joined(), file)
    }

    private func links(
        to targets: Set<SyncID>, ofPairs: Bool, _ file: LedgerTables
    ) throws -> [SyncID: [ItemKey]] {
        guard !targets.isEmpty, try hasLinks(file) else { return [:] }
        let keys = targets.map { LedgerLink.secondKey($0, ofPairs: ofPairs) }
        let links = try file.rows(of: .link, LedgerModel.secondKey, in: keys).map {
            try LedgerLink(key: $0.key)
        }
        return Dictionary(grouping: links, by: \.target).mapValues { $0.map(\.item) }
    }

    private func hasLinks(_ file: LedgerTables) throws -> Bool {
        if let known = known.withLock({ $0.hasLinks }) { return known }
        let hasLinks = try !file.isEmpty(.link)
        known.withLock { $0.hasLinks = hasLinks }
        return hasLinks
    }

    /// Reads entries while all are gone through, and forgets those before them.
    func loadPortion(_ keys: ArraySlice<ItemKey>) {
        file.read { file in
            let missing = known.withLock { known in keys.filter { known.entries[$0] == nil } }
            let rows = try file.rows(of: .entry, LedgerModel.key, in: missing.map(\.bytes))
            let entries = try rows.map { (try ItemKey(bytes: $0.key), try LedgerEntry(bytes: $0.bytes)) }
            known.withLock { $0.portion = Dictionary(entries) { $1 } }
        }
    }
}
