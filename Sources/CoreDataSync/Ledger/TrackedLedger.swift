package import CoreDataSyncCore

/// A ledger that knows what differs from its file.
///
/// Received items are in memory. Entries, of which there is one for each object of the store, and changes that wait are in
/// the file. Of these, memory has only those that have changed since the file was written, and those that the present step
/// has asked for.
package struct TrackedLedger: SyncLedger, Sendable {
    package var header: LedgerHeader
    private let reader: LedgerReader
    private let waiting: WaitingChanges
    private var queue: PendingChanges
    package var inbox = Inbox()
    package var issues: [SyncIssue] = []
    private let stored: StoredEntries
    private var entries: LedgerDraft<StoredEntries>
    package private(set) var digest = ZoneDigest()
    /// The entries that differ from those that were taken to be written, as these are; nil for none.
    private var unwritten: [ItemKey: LedgerEntry?] = [:]
    /// The IDs of names that have changed since the file was written; nil for a name that has none any more.
    private var renamed: [LocalKey: SyncID?] = [:]
    private var changedNames: Set<LocalKey> = []
    /// The names that the file has in rows of their own, since no entry has them.
    private var names: [LocalKey: SyncID] = [:]
    /// Whether what was received is in rows of its own.
    private var hasReceivedRows = false
    /// How many received items are one part at most.
    private static let partLimit = 1000
    /// Parts of which the machine knows nothing.
    private var parts: [LedgerPart: [UInt8]] = [:]
    private var acknowledged: [UInt64] = []
    /// What the file has of the parts that are compared.
    private var saved: Saved
    /// The numbers of the issues, in their order. Those at the end have none yet.
    package private(set) var issueNumbers: [UInt64] = []
    private var nextIssue: UInt64 = 1
    /// The numbers of issues that the file does not have yet.
    private var newIssues: Set<UInt64> = []

    private struct Saved: Sendable {
        var parts: [LedgerPart: [UInt8]] = [:]
        var header: LedgerHeader?
        var digest = ZoneDigest()
    }

    /// Makes the ledger of a store that was never synced.
    ///
    /// - Parameter file: The file that it is to be written to. It is empty. Nil for one that stays in memory.
    package init(replica: ReplicaID, in file: LedgerFile? = nil) {
        header = LedgerHeader(replica: replica)
        reader = LedgerReader(file?.tables)
        waiting = WaitingChanges(reader)
        queue = PendingChanges(after: waiting)
        stored = StoredEntries(reader)
        entries = LedgerDraft(of: stored)
        saved = Saved()
    }

    // MARK: The ledger

    package var pending: PendingChanges {
        get { queue }
        _modify { yield &queue }
        // What the file has of the others is known to them alone.
        set { queue.replace(with: newValue.changes) }
    }

    /// All items, in the order of their keys. Going through them reads their entries.
    package var keys: StoredKeys {
        var keys = stored.keys()
        if !entries.entries.isEmpty { keys.removeAll { entries.entries[$0] != nil } }
        for case (let key, _?) in entries.entries { keys.append(key) }
        keys.sort()
        return StoredKeys(keys, of: stored)
    }

    package func entry(_ key: ItemKey) -> LedgerEntry? { entries.entry(key) }
    package func referrers(of target: SyncID) -> [SyncID] { entries.referrers(of: target) }
    package func pairs(of object: SyncID) -> [ItemKey] { entries.pairs(of: object) }

    package func id(of local: LocalKey) -> SyncID? {
        if let id = renamed[local] { return id }
        return names[local] ?? stored.id(of: local)
    }

    package func load(_ set: WorkingSet) {
        var set = set
        set.names = set.names.filter { renamed[$0] == nil && names[$0] == nil }
        set.entries = set.entries.filter { entries.entries[$0] == nil }
        stored.load(set)
    }

    package mutating func set(_ entry: LedgerEntry?, for key: ItemKey) {
        let old = self.entry(key)
        if entry == old, entry?.local.map({ id(of: $0) == key.object }) ?? true { return }
        if unwritten[key] == nil { unwritten[key] = .some(old) }
        if let local = old?.local, local != entry?.local {
            changedNames.insert(local)
            if id(of: local) == key.object { renamed[local] = .some(nil) }
        }
        if let local = entry?.local, let id = key.object { name(local, id) }
        digest.replace(key, old, by: entry)
        entries.set(entry, for: key)
    }

    package mutating func name(_ local: LocalKey?, _ id: SyncID) {
        guard let local else { return }
        changedNames.insert(local)
        renamed[local] = .some(id)
    }

    /// A part of which the machine knows nothing.
    package subscript(part: LedgerPart) -> [UInt8]? {
        get { parts[part] }
        set { parts[part] = newValue }
    }

    // MARK: Issues

    /// Takes an issue out that the app has acknowledged. Returns whether there was one of that number.
    package mutating func acknowledge(_ number: UInt64) -> Bool {
        numberIssues()
        guard let index = issueNumbers.firstIndex(of: number) else { return false }
        issueNumbers.remove(at: index)
        issues.remove(at: index)
        acknowledged.append(number)
        return true
    }

    private mutating func numberIssues() {
        while issueNumbers.count < issues.count {
            issueNumbers.append(nextIssue)
            newIssues.insert(nextIssue)
            nextIssue += 1
        }
    }

    // MARK: The file

    /// Reads a ledger that goes on in its file. Entries are read when they are asked for. A file of an earlier version
    /// gets what entries are found by first.
    ///
    /// - Throws: `WireError` if the file is damaged, as far as it is read here; an error of the disk.
    package init?(in file: LedgerFile) async throws {
        var rows = try await file.read([.part])
        guard rows.bytes(.part, LedgerPart.header.key) != nil else { return nil }
        let isFirst = rows.bytes(.part, LedgerPart.digest.key) == nil
        if try isFirst || file.tables.hasRowsWithoutSecondKey(.outgoing) {
            let former = try TrackedLedger(reading: try await file.read())
            if let former { try await file.write(former.rowsWithSecondKeys(entries: isFirst)) }
        }
        rows = try await file.read(LedgerTable.allCases.filter { !$0.hasSecondKey })
        try self.init(rows, LedgerReader(file.tables))
    }

    /// Fills a ledger with what a file has, all of which is in memory then.
    ///
    /// - Throws: `WireError` if the file is damaged.
    package init?(reading rows: LedgerRows) throws {
        try self.init(rows, LedgerReader(nil))
        let changes = try rows[.outgoing].map { try PendingChange(bytes: $0.bytes) }
        queue.fill(changes.sorted { $0.change.number < $1.change.number })
        digest = ZoneDigest()
        for row in rows[.entry] {
            let (key, entry) = (try ItemKey(bytes: row.key), try LedgerEntry(bytes: row.bytes))
            entries.set(entry, for: key)
            digest.toggle(key, entry)
            guard let local = entry.local, let id = key.object, names[local] == nil else { continue }
            renamed[local] = .some(id)
        }
        saved.digest = digest
    }

    private init?(_ rows: LedgerRows, _ reader: LedgerReader) throws {
        guard let bytes = rows.bytes(.part, LedgerPart.header.key) else { return nil }
        var header = try LedgerHeader(bytes: bytes)
        self.reader = reader
        waiting = WaitingChanges(reader)
        queue = PendingChanges(after: waiting)
        stored = StoredEntries(reader)
        entries = LedgerDraft(of: stored)
        saved = Saved()
        var received: [ItemKey: InboxItem] = [:]
        for part in LedgerPart.allCases {
            guard let bytes = rows.bytes(.part, part.key) else { continue }
            saved.parts[part] = bytes
            switch part {
            case .frozen: header.frozen = try [PendingChange](bytes: bytes)
            case .unread: header.unread = try [AnsweredChange](bytes: bytes)
            case .questions: header.questions = try [LostValue](bytes: bytes)
            case .intent: header.intent = try ImportIntent(bytes: bytes)
            case .digest: digest = try ZoneDigest(bytes: bytes)
            case .received:
                for item in try [ReceivedItem](bytes: bytes) { received[item.key] = item.item }
            case .header: break
            case .position, .store, .identifier, .roots, .properties, .keyMoves, .zone, .otherZone, .strays:
                parts[part] = bytes
            }
        }
        self.header = header
        for row in rows[.name] {
            guard case .object(let id) = try ItemKey(bytes: row.bytes) else { continue }
            names[String(decoding: row.key, as: UTF8.self)] = id
        }
        hasReceivedRows = !rows[.received].isEmpty
        for row in rows[.received] { received[try ItemKey(bytes: row.key)] = try InboxItem(bytes: row.bytes) }
        inbox.fill(received)
        for row in rows[.issue].sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            issues.append(try SyncIssue(bytes: row.bytes))
            issueNumbers.append(LedgerRows.number(row.key))
        }
        nextIssue = (issueNumbers.last ?? 0) + 1
        saved.header = header
        saved.digest = digest
    }

    /// Returns what has to be written so that the file has what the ledger has, and takes it for written. Once it is,
    /// `forgetWritten()` takes it out of memory.
    package mutating func takeWrites() -> LedgerRows {
        var rows = LedgerRows()
        for (key, former) in unwritten {
            let entry = self.entry(key)
            if entry != former { write(entry, key, insteadOf: former, to: &rows) }
        }
        unwritten = [:]
        for local in changedNames {
            let id = id(of: local)
            let isImplied = id.map { entry(.object($0))?.local == local } ?? true
            let isInFile = names[local] != nil
            names[local] = isImplied ? nil : id
            let bytes = names[local].map { ItemKey.object($0).bytes }
            write(bytes, .name, Array(local.utf8), isInFile, to: &rows)
        }
        changedNames = []
        writeParts(to: &rows)
        writeQueues(to: &rows)
        return rows
    }

    /// Takes what has changed out of memory, since the file has all of it.
    package mutating func forgetWritten() {
        stored.noteWritten(entries.entries, names: renamed.keys)
        entries.removeAll()
        renamed = [:]
        queue.forgetWritten()
        waiting.forget()
    }

    /// Takes the first error of reading since the last call. What has been done with the ledger meanwhile is of
    /// no use, and another one has to be read from the file.
    package func takeFailure() -> (any Error)? { reader.takeFailure() }

    /// Writes what was received as one part if it is no more than a page, which the next import takes away as a whole, or
    /// else what has changed of it as rows.
    private mutating func writeInbox(to rows: inout LedgerRows) {
        let changes = inbox.takeWrites()
        guard !changes.isEmpty else { return }
        if hasReceivedRows {
            for (key, item, isInFile) in changes {
                write(item?.bytes, .received, key.bytes, isInFile, to: &rows)
            }
            hasReceivedRows = !inbox.isEmpty
        } else if inbox.items.count <= Self.partLimit {
            let items = inbox.items.map { ReceivedItem(key: $0.key, item: $0.value) }
            write(.received, items.isEmpty ? nil : items.bytes, to: &rows)
        } else {
            for (key, item) in inbox.items { rows.set(item.bytes, .received, key.bytes, isNew: true) }
            write(.received, nil, to: &rows)
            hasReceivedRows = true
        }
    }

    private func write(
        _ entry: LedgerEntry?, _ key: ItemKey, insteadOf former: LedgerEntry?, to rows: inout LedgerRows
    ) {
        if entry != nil || former != nil {
            let name = entry?.local.map { Array($0.utf8) }
            rows.set(entry?.bytes, .entry, key.bytes, isNew: former == nil, secondKey: name)
        }
        let (old, new) = (LedgerLink.all(of: former, key), LedgerLink.all(of: entry, key))
        for link in old.subtracting(new) { rows.set(nil, .link, link.key) }
        for link in new.subtracting(old) {
            rows.set([], .link, link.key, isNew: true, secondKey: link.secondKey)
        }
    }

    /// Returns the rows of a ledger that is in memory which earlier versions have written without second keys.
    private func rowsWithSecondKeys(entries isOfEntries: Bool) -> LedgerRows {
        var rows = LedgerRows()
        for waiting in queue.changes {
            let (key, item) = (LedgerRows.key(waiting.change.number), waiting.change.item.bytes)
            rows.set(waiting.bytes, .outgoing, key, secondKey: item)
        }
        guard isOfEntries else { return rows }
        for case (let key, let entry?) in entries.entries {
            let name = entry.local.map { Array($0.utf8) }
            rows.set(entry.bytes, .entry, key.bytes, secondKey: name)
            for link in LedgerLink.all(of: entry, key) {
                rows.set([], .link, link.key, secondKey: link.secondKey)
            }
        }
        rows.set(digest.bytes, .part, LedgerPart.digest.key)
        return rows
    }

    private func write(
        _ bytes: [UInt8]?, _ table: LedgerTable, _ key: [UInt8], _ isInFile: Bool, to rows: inout LedgerRows
    ) {
        if bytes != nil || isInFile { rows.set(bytes, table, key, isNew: !isInFile) }
    }

    private mutating func writeParts(to rows: inout LedgerRows) {
        for part in LedgerPart.allCases where part.isOfShell { write(part, parts[part], to: &rows) }
        if saved.digest != digest || saved.parts[.digest] == nil {
            saved.digest = digest
            write(.digest, digest.bytes, to: &rows)
        }
        guard saved.header != header else { return }
        let old = saved.header
        saved.header = header
        write(.header, header.bytes, to: &rows)
        if old?.frozen != header.frozen { write(.frozen, header.frozen.bytes, to: &rows) }
        if old?.unread != header.unread { write(.unread, header.unread.bytes, to: &rows) }
        if old?.questions != header.questions { write(.questions, header.questions.bytes, to: &rows) }
        if old?.intent != header.intent { write(.intent, header.intent?.bytes, to: &rows) }
    }

    private mutating func write(_ part: LedgerPart, _ bytes: [UInt8]?, to rows: inout LedgerRows) {
        guard saved.parts[part] != bytes else { return }
        saved.parts[part] = bytes
        rows.set(bytes, .part, part.key)
    }

    private mutating func writeQueues(to rows: inout LedgerRows) {
        for (number, change, isInFile) in queue.takeWrites() {
            guard change != nil || isInFile else { continue }
            let item = change?.change.item.bytes
            rows.set(change?.bytes, .outgoing, LedgerRows.key(number), isNew: !isInFile, secondKey: item)
        }
        writeInbox(to: &rows)
        numberIssues()
        for (index, number) in issueNumbers.enumerated() where newIssues.contains(number) {
            rows.set(issues[index].bytes, .issue, LedgerRows.key(number), isNew: true)
        }
        newIssues = []
        for number in acknowledged { rows.set(nil, .issue, LedgerRows.key(number)) }
        acknowledged = []
    }
}
