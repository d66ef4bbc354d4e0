import CoreDataSQL
import CoreDataSyncCore

/// The rows that a transaction has read and written, and what it has noted besides.
///
/// A push writes an object once for each of its registers. What was written is kept here and reaches the database once, at
/// the end or before a query that has to find it. Indexes are answered from here meanwhile.
final class ZoneRows {
    private struct Entry {
        /// The row that the database has, and its size.
        var stored: ZoneRow?
        var size: Int
        var row: ZoneRow?
        /// The index rows of the row that the index has.
        var index: Set<ZoneIndexRow>
        /// The row as it is to be written, once that is known.
        var bytes: [UInt8]?
    }

    /// The bytes of an item at most.
    static let largest = 1 << 20

    let connection: any SQLConnection
    let zone: Int64
    private let schema: SyncSchema
    private let tables: any ZoneTables
    private var entries: [ItemKey: Entry] = [:]
    /// The items that the database does not have as they are, and those that the index does not.
    private var changed: Set<ItemKey> = []
    private var unindexed: Set<ItemKey> = []
    private var index = ZoneIndex()
    /// Whether keys are forgotten, by their hashes.
    private var forgotten: [UInt64: Bool] = [:]
    /// What else is to be written.
    private var batch = ZoneBatch()
    private var savepoint = Savepoint.none
    /// By how much the rows that were written weigh more than those that were there before, and where that stood at the
    /// savepoint.
    private(set) var growth = 0
    private var growthBefore = 0

    private enum Savepoint {
        case none
        /// Set before the first write to the database.
        case due
        case set
    }

    init(_ connection: any SQLConnection, zone: Int64, schema: SyncSchema) {
        self.connection = connection
        self.zone = zone
        self.schema = schema
        tables = connection.tables(of: zone)
    }

    // MARK: Reading

    func row(_ key: ItemKey) throws -> ZoneRow? { try entry(key).row }

    private func entry(_ key: ItemKey) throws -> Entry {
        if let entry = entries[key] { return entry }
        try read(ZoneReading(keys: [key]))
        guard let entry = entries[key] else { throw DamagedRow(description: "the row of an item is gone") }
        return entry
    }

    /// Returns the index rows that answer a question.
    func rows(_ lookup: ZoneLookup) throws -> Set<ZoneIndexRow> {
        updateIndex()
        if let rows = index.rows(lookup) { return rows }
        try read(ZoneReading(lookups: [lookup]))
        return index.rows(lookup) ?? []
    }

    func hasForgotten(_ key: ItemKey) throws -> Bool {
        let hash = key.stableHash
        if let isForgotten = forgotten[hash] { return isForgotten }
        try read(ZoneReading(hashes: [hash]))
        return forgotten[hash] ?? false
    }

    /// Reads at once what was not read before.
    func read(_ reading: ZoneReading) throws {
        var reading = reading
        reading.keys = reading.keys.filter { entries[$0] == nil }
        reading.lookups = reading.lookups.filter { index.rows($0) == nil }
        reading.hashes = reading.hashes.filter { forgotten[$0] == nil }
        guard !reading.isEmpty else { return }
        let findings = try tables.read(reading)
        for key in reading.keys { entries[key] = try entry(findings.rows[key], key) }
        for (lookup, rows) in findings.index { index.note(rows, for: lookup) }
        for hash in reading.hashes { forgotten[hash] = findings.forgotten.contains(hash) }
    }

    private func entry(_ bytes: [UInt8]?, _ key: ItemKey) throws -> Entry {
        let row = try bytes.map { try ZoneRow.read(SQLValue.bytes($0).tree()).row }
        return Entry(stored: row, size: bytes?.count ?? 0, row: row, index: indexRows(key, row))
    }

    // MARK: Writing

    func write(_ row: ZoneRow?, for key: ItemKey) throws {
        var entry = try entry(key)
        entry.row = row
        entry.bytes = nil
        entries[key] = entry
        changed.insert(key)
        unindexed.insert(key)
    }

    /// Removes a row, and remembers that it was there.
    func forget(_ key: ItemKey) throws {
        try write(nil, for: key)
        forgotten[key.stableHash] = true
        batch.forgotten.append(key.stableHash)
    }

    func log(_ row: LogRow) { batch.losses.append(row) }
    func write(_ device: DeviceRow, for replica: ReplicaID) { batch.devices[replica] = device }
    func noteTaken(_ receipt: [UInt8], at milliseconds: UInt64) { batch.receipts[receipt] = milliseconds }

    private func updateIndex() {
        for key in unindexed {
            guard var entry = entries[key] else { continue }
            let rows = indexRows(key, entry.row)
            index.replace(entry.index, by: rows)
            entry.index = rows
            entries[key] = entry
        }
        unindexed = []
    }

    private func indexRows(_ key: ItemKey, _ row: ZoneRow?) -> Set<ZoneIndexRow> {
        row.map { ZoneIndexRow.rows(of: $0, key, schema) } ?? []
    }

    /// Makes the bytes of the rows that have changed.
    ///
    /// - Throws: `Refusal.invalid` for an item that is too large.
    func encode() throws {
        for key in changed {
            guard let row = entries[key]?.row, entries[key]?.bytes == nil else { continue }
            let bytes = CBORWriter.bytes(of: row.wire(as: key))
            guard bytes.count <= Self.largest else {
                throw Refusal.invalid("an object has at most \(Self.largest) bytes")
            }
            entries[key]?.bytes = bytes
        }
    }

    /// Writes to the database what has changed.
    ///
    /// - Parameter header: The header of the zone, if that has changed.
    /// - Throws: `Refusal.invalid` for an item that is too large, before anything is written.
    func flush(_ header: ZoneHeader? = nil) throws {
        try encode()
        updateIndex()
        batch.header = header
        batch.addedIndex = Array(index.difference.added)
        batch.removedIndex = Array(index.difference.removed)
        for key in changed.sorted() {
            guard let entry = entries[key] else { continue }
            if let row = entry.row, let bytes = entry.bytes {
                batch.items.append(
                    ZoneBatch.Item(
                        key: key, sequence: row.sequence, changed: row.changed,
                        isForgettable: row.isForgettable(as: key), bytes: bytes))
            } else if entry.stored != nil {
                batch.removed.append(key)
            }
            batch.growth.items += (entry.row == nil ? 0 : 1) - (entry.stored == nil ? 0 : 1)
            batch.growth.bytes += (entry.bytes?.count ?? 0) - entry.size
            growth += (entry.row?.weight ?? 0) - (entry.stored?.weight ?? 0)
        }
        guard !batch.isEmpty else { return }
        if savepoint == .due {
            try connection.execute("SAVEPOINT zone")
            savepoint = .set
        }
        try tables.write(batch)
        for key in changed {
            guard let entry = entries[key] else { continue }
            entries[key]?.stored = entry.row
            entries[key]?.size = entry.bytes?.count ?? 0
        }
        (changed, batch) = ([], ZoneBatch())
        index.settle()
    }

    // MARK: Savepoints

    /// Begins what may be undone. Everything before is in the database.
    func begin() { (savepoint, growthBefore) = (.due, growth) }

    /// Keeps what was done since `begin`.
    func keep() throws {
        defer { savepoint = .none }
        if savepoint == .set { try connection.execute("RELEASE zone") }
    }

    /// Undoes what was done since `begin`.
    func undo() throws {
        defer { savepoint = .none }
        (entries, changed, unindexed, forgotten) = ([:], [], [], [:])
        (index, batch) = (ZoneIndex(), ZoneBatch())
        growth = growthBefore
        if savepoint == .set { try connection.execute("ROLLBACK TO zone; RELEASE zone") }
    }
}

extension SQLConnection {
    /// Returns the tables of a zone, as they are best used by this connection.
    fileprivate func tables(of zone: Int64) -> any ZoneTables {
        #if PostgreSQL
        if let tables = arrayTables(of: zone) { return tables }
        #endif
        return RowwiseTables(connection: self, zone: zone)
    }
}
