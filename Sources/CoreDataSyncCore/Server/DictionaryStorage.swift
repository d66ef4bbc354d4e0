/// A zone in memory. A copy of it is a backup; a transaction that fails is undone step by step.
package struct DictionaryStorage: ZoneStorage, Sendable {
    package let schema: SyncSchema
    package var header = ZoneHeader()
    package private(set) var rows: [ItemKey: ZoneRow] = [:]
    package private(set) var devices: [ReplicaID: DeviceRow] = [:]
    package private(set) var log: [LogRow] = []
    /// What the last transaction has changed, the latest last.
    package private(set) var journal: [UndoStep] = []
    private var keys = SortedList<ItemKey>()
    private var places = SortedList<Place>()
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
        journal.append(.row(key, set(row, for: key)))
    }

    package mutating func forget(_ key: ItemKey) {
        journal.append(.row(key, set(nil, for: key)))
        if forgotten.insert(key.stableHash).inserted { journal.append(.forgotten(key.stableHash)) }
    }

    /// Replaces a row and returns the one that was there.
    private mutating func set(_ row: ZoneRow?, for key: ItemKey) -> ZoneRow? {
        let old = rows.removeValue(forKey: key)
        if let old, old.sequence != row?.sequence { places.remove(Place(sequence: old.sequence, key: key)) }
        if let row, row.sequence != old?.sequence { places.insert(Place(sequence: row.sequence, key: key)) }
        if (old == nil) != (row == nil) { if row == nil { keys.remove(key) } else { keys.insert(key) } }
        reindex(key, old?.state, row?.state)
        rows[key] = row
        return old
    }

    package func hasForgotten(_ key: ItemKey) -> Bool { forgotten.contains(key.stableHash) }

    /// Brings the indexes from one state of an item to another one.
    private mutating func reindex(_ key: ItemKey, _ old: ItemState?, _ new: ItemState?) {
        switch key {
        case .pair(_, let first, let second):
            guard (old == nil) != (new == nil) else { return }
            for object in [first, second] { pairs.set(key, new != nil, of: object) }
        case .object(let id):
            let before = old.map { IndexEntries($0, schema: schema) } ?? IndexEntries()
            let after = new.map { IndexEntries($0, schema: schema) } ?? IndexEntries()
            guard before != after else { return }
            for (entries, isIn) in [(before, false), (after, true)] {
                for (register, target) in entries.targets {
                    referrers.set(Referrer(object: id, register: register), isIn, of: target)
                }
                for value in entries.unique { holders.set(id, isIn, of: value) }
            }
        }
    }

    package func rows(
        behind sequence: UInt64, _ key: ItemKey?, limit: Int
    ) -> [(key: ItemKey, row: ZoneRow)] {
        let found = places.behind { place in
            place.sequence < sequence || place.sequence == sequence && key.map { place.key <= $0 } ?? true
        }
        return found.prefix(limit).map { ($0.key, rows[$0.key]!) }
    }

    package func count() -> Int { rows.count }

    package func rows(after key: ItemKey?, limit: Int) -> [(key: ItemKey, row: ZoneRow)] {
        keys.behind { present in key.map { present <= $0 } ?? false }.prefix(limit).map { ($0, rows[$0]!) }
    }

    package func rows(inBuckets buckets: Set<Int>) -> [(key: ItemKey, row: ZoneRow)] {
        keys.elements.filter { buckets.contains(ZoneDigest.bucket(of: $0)) }.map { ($0, rows[$0]!) }
    }

    package func forgettable(changedBefore milliseconds: UInt64) -> [ItemKey] {
        keys.elements.filter { key in
            rows[key].map { $0.changed < milliseconds && $0.isForgettable(as: key) } ?? false
        }
    }

    package func referrers(of target: SyncID) -> [Referrer] {
        (referrers[target] ?? []).sorted { ($0.object, $0.register) < ($1.object, $1.register) }
    }

    package func pairs(of object: SyncID) -> [ItemKey] { (pairs[object] ?? []).sorted() }
    package func holders(of value: UniqueValue) -> [SyncID] { (holders[value] ?? []).sorted() }

    package func device(_ replica: ReplicaID) -> DeviceRow? { devices[replica] }
    package mutating func write(_ device: DeviceRow, for replica: ReplicaID) {
        journal.append(.device(replica, devices.updateValue(device, forKey: replica)))
    }

    package mutating func noteTaken(_ receipt: [UInt8], at milliseconds: UInt64) {
        journal.append(.receipt(receipt, receipts.updateValue(milliseconds, forKey: receipt)))
    }

    package func isTaken(_ receipt: [UInt8]) -> Bool { receipts[receipt] != nil }

    package mutating func removeReceipts(takenBefore milliseconds: UInt64) {
        for (receipt, taken) in receipts where taken < milliseconds {
            journal.append(.receipt(receipt, receipts.removeValue(forKey: receipt)))
        }
    }

    package mutating func log(_ row: LogRow) {
        guard losers.insert(Loser(row.lost)).inserted else { return }
        log.append(row)
        journal.append(.logged)
    }

    package func log(behind sequence: UInt64, through end: UInt64) -> [LogRow] {
        // Rows are logged in the order of their numbers, and most readers want the last ones.
        log.reversed().drop { $0.sequence > end }.prefix { $0.sequence > sequence }.reversed()
    }

    package mutating func removeLog(changedBefore milliseconds: UInt64) {
        journal.append(.log(log))
        for row in log where row.changed < milliseconds { losers.remove(Loser(row.lost)) }
        log.removeAll { $0.changed < milliseconds }
    }

    // MARK: Transactions

    /// What was there before a change.
    package enum UndoStep: Sendable {
        case row(ItemKey, ZoneRow?)
        case device(ReplicaID, DeviceRow?)
        case receipt([UInt8], UInt64?)
        case forgotten(UInt64)
        /// One row of the log was added.
        case logged
        case log([LogRow])
    }

    package mutating func transaction<Result>(_ body: (inout Self) throws -> Result) throws -> Result {
        journal.removeAll(keepingCapacity: true)
        let header = header
        do {
            return try body(&self)
        } catch {
            for step in journal.reversed() { undo(step) }
            journal.removeAll(keepingCapacity: true)
            self.header = header
            throw error
        }
    }

    private mutating func undo(_ step: UndoStep) {
        switch step {
        case .row(let key, let row): _ = set(row, for: key)
        case .device(let replica, let device): devices[replica] = device
        case .receipt(let receipt, let taken): receipts[receipt] = taken
        case .forgotten(let hash): forgotten.remove(hash)
        case .logged: losers.remove(Loser(log.removeLast().lost))
        case .log(let rows):
            log = rows
            losers = Set(rows.map { Loser($0.lost) })
        }
    }
}

/// Where a row stands in the order of changes.
private struct Place: Comparable, Sendable {
    let sequence: UInt64
    let key: ItemKey

    static func < (first: Place, second: Place) -> Bool {
        first.sequence != second.sequence ? first.sequence < second.sequence : first.key < second.key
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

extension Dictionary {
    /// Inserts a member into the set of a key, or removes it. There are no empty sets.
    mutating func set<Member>(_ member: Member, _ isIn: Bool, of key: Key) where Value == Set<Member> {
        if isIn {
            self[key, default: []].insert(member)
        } else {
            self[key]?.remove(member)
            if self[key]?.isEmpty ?? false { self[key] = nil }
        }
    }
}
