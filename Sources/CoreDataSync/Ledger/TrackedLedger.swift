package import CoreDataSyncCore

/// A ledger in memory that knows what differs from its file.
///
/// It is whole: the machine asks for entries at every step, and cannot wait for a disk.
package struct TrackedLedger: SyncLedger, Sendable {
    private var memory: DictionaryLedger
    private var unwritten = Unwritten<ItemKey>()
    private var changedNames: Set<LocalKey> = []
    /// The names that the file has in rows of their own.
    private var writtenNames: Set<LocalKey> = []
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
    }

    package init(replica: ReplicaID) {
        memory = DictionaryLedger(replica: replica)
        saved = Saved()
    }

    // MARK: The ledger

    package var header: LedgerHeader {
        get { memory.header }
        _modify { yield &memory.header }
    }

    package var pending: PendingChanges {
        get { memory.pending }
        _modify { yield &memory.pending }
        // What the file has of the others is known to them alone.
        set { memory.pending.replace(with: newValue.changes) }
    }

    package var inbox: Inbox {
        get { memory.inbox }
        _modify { yield &memory.inbox }
    }

    package var issues: [SyncIssue] {
        get { memory.issues }
        _modify { yield &memory.issues }
    }

    package var keys: [ItemKey] { memory.keys }
    package var digest: ZoneDigest { memory.digest }
    package func entry(_ key: ItemKey) -> LedgerEntry? { memory.entry(key) }
    package func referrers(of target: SyncID) -> [SyncID] { memory.referrers(of: target) }
    package func pairs(of object: SyncID) -> [ItemKey] { memory.pairs(of: object) }
    package func id(of local: LocalKey) -> SyncID? { memory.id(of: local) }

    package mutating func set(_ entry: LedgerEntry?, for key: ItemKey) {
        unwritten.note(key, isInFile: memory.entry(key) != nil)
        if let local = memory.entry(key)?.local { changedNames.insert(local) }
        if let local = entry?.local { changedNames.insert(local) }
        memory.set(entry, for: key)
    }

    package mutating func name(_ local: LocalKey?, _ id: SyncID) {
        if let local { changedNames.insert(local) }
        memory.name(local, id)
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
        memory.issues.remove(at: index)
        acknowledged.append(number)
        return true
    }

    private mutating func numberIssues() {
        while issueNumbers.count < memory.issues.count {
            issueNumbers.append(nextIssue)
            newIssues.insert(nextIssue)
            nextIssue += 1
        }
    }

    // MARK: The file

    /// Fills the ledger with what a file has.
    ///
    /// - Throws: `WireError` if the file is damaged.
    package init?(reading rows: LedgerRows) throws {
        guard let bytes = rows.bytes(.part, LedgerPart.header.key) else { return nil }
        self.init(replica: try LedgerHeader(bytes: bytes).replica)
        var header = try LedgerHeader(bytes: bytes)
        for part in LedgerPart.allCases {
            guard let bytes = rows.bytes(.part, part.key) else { continue }
            saved.parts[part] = bytes
            switch part {
            case .frozen: header.frozen = try [PendingChange](bytes: bytes)
            case .unread: header.unread = try [AnsweredChange](bytes: bytes)
            case .questions: header.questions = try [LostValue](bytes: bytes)
            case .intent: header.intent = try ImportIntent(bytes: bytes)
            case .header: break
            case .position, .store, .identifier, .roots, .properties, .keyMoves, .zone, .otherZone, .strays:
                parts[part] = bytes
            }
        }
        memory.header = header
        for row in rows[.entry] {
            memory.set(try LedgerEntry(bytes: row.bytes), for: try ItemKey(bytes: row.key))
        }
        for row in rows[.name] {
            guard case .object(let id) = try ItemKey(bytes: row.bytes) else { continue }
            let local = String(decoding: row.key, as: UTF8.self)
            writtenNames.insert(local)
            memory.name(local, id)
        }
        let changes = try rows[.outgoing].map { try PendingChange(bytes: $0.bytes) }
        memory.pending.fill(changes.sorted { $0.change.number < $1.change.number })
        var received: [ItemKey: InboxItem] = [:]
        for row in rows[.received] { received[try ItemKey(bytes: row.key)] = try InboxItem(bytes: row.bytes) }
        memory.inbox.fill(received)
        for row in rows[.issue].sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            memory.issues.append(try SyncIssue(bytes: row.bytes))
            issueNumbers.append(LedgerRows.number(row.key))
        }
        nextIssue = (issueNumbers.last ?? 0) + 1
        saved.header = memory.header
    }

    /// Returns what has to be written so that the file has what the ledger has, and takes it for written.
    package mutating func takeWrites() -> LedgerRows {
        var rows = LedgerRows()
        for (key, isInFile) in unwritten.take() {
            write(memory.entry(key)?.bytes, .entry, key.bytes, isInFile, to: &rows)
        }
        for local in changedNames {
            let id = memory.id(of: local)
            let isImplied = id.map { memory.entry(.object($0))?.local == local } ?? true
            let bytes = isImplied ? nil : id.map { ItemKey.object($0).bytes }
            let isInFile = writtenNames.remove(local) != nil
            if bytes != nil { writtenNames.insert(local) }
            write(bytes, .name, Array(local.utf8), isInFile, to: &rows)
        }
        changedNames = []
        writeParts(to: &rows)
        writeQueues(to: &rows)
        return rows
    }

    private func write(
        _ bytes: [UInt8]?, _ table: LedgerTable, _ key: [UInt8], _ isInFile: Bool, to rows: inout LedgerRows
    ) {
        if bytes != nil || isInFile { rows.set(bytes, table, key, isNew: !isInFile) }
    }

    private mutating func writeParts(to rows: inout LedgerRows) {
        for part in LedgerPart.allCases where !part.isOfHeader { write(part, parts[part], to: &rows) }
        guard saved.header != memory.header else { return }
        let header = memory.header
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
        for (number, change, isInFile) in memory.pending.takeWrites() {
            write(change?.bytes, .outgoing, LedgerRows.key(number), isInFile, to: &rows)
        }
        for (key, item, isInFile) in memory.inbox.takeWrites() {
            write(item?.bytes, .received, key.bytes, isInFile, to: &rows)
        }
        numberIssues()
        for (index, number) in issueNumbers.enumerated() where newIssues.contains(number) {
            rows.set(memory.issues[index].bytes, .issue, LedgerRows.key(number), isNew: true)
        }
        newIssues = []
        for number in acknowledged { rows.set(nil, .issue, LedgerRows.key(number)) }
        acknowledged = []
    }
}
