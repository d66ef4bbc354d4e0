/// A zone in memory. A copy of it is a snapshot, by which a transaction is rolled back.
package struct DictionaryStorage: ZoneStorage, Sendable {
    package let schema: SyncSchema
    package var header = ZoneHeader()
    package private(set) var rows: [ItemKey: ZoneRow] = [:]
    package private(set) var devices: [ReplicaID: DeviceRow] = [:]
    package private(set) var log: [LogRow] = []
    private var referrers: [SyncID: Set<Referrer>] = [:]
    private var pairs: [SyncID: Set<ItemKey>] = [:]
    private var losers: Set<Loser> = []
    /// The hashes of the keys of rows that were forgotten.
    private var forgotten: Set<UInt64> = []
    /// The receipts of pushes, and when they were taken.
    private var receipts: [[UInt8]: UInt64] = [:]
    private var holders: [UniqueValue: Set<SyncID>] = [:]

    package init(schema: SyncSchema) {
        self.schema = schema
    }

    package func row(_ key: ItemKey) -> ZoneRow? { rows[key] }

    package mutating func write(_ row: ZoneRow, for key: ItemKey) {
        if let old = rows[key] { index(key, old, false) }
        rows[key] = row
        index(key, row, true)
    }

    package mutating func forget(_ key: ItemKey) {
        if let old = rows[key] { index(key, old, false) }
        rows[key] = nil
        forgotten.insert(key.stableHash)
    }

    package func hasForgotten(_ key: ItemKey) -> Bool { forgotten.contains(key.stableHash) }

    /// Puts a row into the indexes, or takes it out.
    private mutating func index(_ key: ItemKey, _ row: ZoneRow, _ isIn: Bool) {
        switch key {
        case .pair(_, let first, let second):
            pairs[first, default: []].set(key, isIn)
            pairs[second, default: []].set(key, isIn)
        case .object(let id):
            let entries = IndexEntries(row.state, schema: schema)
            for (register, target) in entries.targets {
                referrers[target, default: []].set(Referrer(object: id, register: register), isIn)
            }
            for value in entries.unique { holders[value, default: []].set(id, isIn) }
        }
    }

    package func rows(
        behind sequence: UInt64, _ key: ItemKey?, limit: Int
    ) -> [(key: ItemKey, row: ZoneRow)] {
        let found = rows.filter { entry in
            entry.value.sequence > sequence
                || entry.value.sequence == sequence && key.map { entry.key > $0 } ?? false
        }
        let sorted = found.sorted { ($0.value.sequence, $0.key) < ($1.value.sequence, $1.key) }
        return sorted.prefix(limit).map { ($0.key, $0.value) }
    }

    package func rows(after key: ItemKey?, limit: Int) -> [(key: ItemKey, row: ZoneRow)] {
        let found = rows.filter { entry in key.map { entry.key > $0 } ?? true }.sorted { $0.key < $1.key }
        return found.prefix(limit).map { ($0.key, $0.value) }
    }

    package func rows(inBucket bucket: Int) -> [(key: ItemKey, row: ZoneRow)] {
        rows.filter { ZoneDigest.bucket(of: $0.key) == bucket }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    package func forgettable(changedBefore milliseconds: UInt64) -> [ItemKey] {
        rows.filter { $0.value.changed < milliseconds && $0.value.isForgettable(as: $0.key) }.map(\.key)
            .sorted()
    }

    package func referrers(of target: SyncID) -> [Referrer] {
        (referrers[target] ?? []).sorted { ($0.object, $0.register) < ($1.object, $1.register) }
    }

    package func pairs(of object: SyncID) -> [ItemKey] { (pairs[object] ?? []).sorted() }
    package func holders(of value: UniqueValue) -> [SyncID] { (holders[value] ?? []).sorted() }

    package func device(_ replica: ReplicaID) -> DeviceRow? { devices[replica] }
    package mutating func write(_ device: DeviceRow, for replica: ReplicaID) { devices[replica] = device }

    package mutating func noteTaken(_ receipt: [UInt8], at milliseconds: UInt64) {
        receipts[receipt] = milliseconds
    }

    package func isTaken(_ receipt: [UInt8]) -> Bool { receipts[receipt] != nil }

    package mutating func removeReceipts(takenBefore milliseconds: UInt64) {
        receipts = receipts.filter { $0.value >= milliseconds }
    }

    package mutating func log(_ row: LogRow) {
        if losers.insert(Loser(row.lost)).inserted { log.append(row) }
    }

    package func log(behind sequence: UInt64, through end: UInt64) -> [LogRow] {
        log.filter { $0.sequence > sequence && $0.sequence <= end }
    }

    package mutating func removeLog(changedBefore milliseconds: UInt64) {
        for row in log where row.changed < milliseconds { losers.remove(Loser(row.lost)) }
        log.removeAll { $0.changed < milliseconds }
    }
}

/// The write that lost.
private struct Loser: Hashable {
    let item: ItemKey
    let register: String?
    let stamp: Stamp

    init(_ lost: LostValue) {
        item = lost.item
        register = lost.register
        stamp = lost.stamp
    }
}

extension ZoneRow {
    /// Whether the row says only that something is not there. An alias stays for ever, since a device that
    /// was away may still refer to it.
    package func isForgettable(as key: ItemKey) -> Bool {
        if case .pair = key { return !state.isPresent }
        return !state.existence.isAlive && state.alias == nil
    }
}

extension Set {
    /// Inserts a member, or removes it.
    mutating func set(_ member: Element, _ isIn: Bool) {
        if isIn { insert(member) } else { remove(member) }
    }
}
