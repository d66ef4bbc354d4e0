package import CoreDataSQL
package import CoreDataSyncCore
import Foundation

/// A zone in a database, inside a transaction of its connection.
///
/// A copy shares the rows with the original, since the transaction rolls all of them back; only the header is
/// a value. What was changed is in the database after `finish`.
package struct SQLZone: ZoneStorage {
    package var header: ZoneHeader
    /// The header as the database has it.
    private let stored: ZoneHeader
    private let rows: ZoneRows

    private var connection: any SQLConnection { rows.connection }
    private var zone: SQLValue { .integer(rows.zone) }

    /// Reads the header of a zone by its number; nil if there is none.
    ///
    /// - Parameter isLocked: Whether nobody else may change the zone before the transaction ends; needed by whoever
    ///   writes.
    package init?(
        _ number: Int64, schema: SyncSchema, on connection: any SQLConnection, isLocked: Bool = false
    ) throws {
        let lock = isLocked ? connection.rowLock : ""
        guard
            let value = try connection.value(
                "SELECT header FROM zone WHERE id = \(bind: .integer(number))\(lock)")
        else { return nil }
        header = try ZoneHeader(wire: value.tree())
        stored = header
        rows = ZoneRows(connection, zone: number, schema: schema)
    }

    /// Writes what is not in the database yet.
    ///
    /// - Throws: `Refusal.invalid` for an item that is too large.
    package func finish() throws {
        try rows.flush()
        guard header != stored || rows.growth != ZoneRows.Growth() else { return }
        try connection.run(
            """
            UPDATE zone SET header = \(bind: .tree(header.wire)), \
            items = items + \(bind: .count(rows.growth.items)), bytes = bytes + \(bind: .count(rows.growth.bytes)) \
            WHERE id = \(bind: zone)
            """)
    }

    /// Runs `body` in a savepoint.
    ///
    /// - Throws: What `body` throws, or `Refusal.invalid` for an item that is too large.
    package mutating func transaction<Result>(_ body: (inout Self) throws -> Result) throws -> Result {
        try rows.flush()
        let (header, growth) = (header, rows.growth)
        try connection.execute("SAVEPOINT zone")
        do {
            let result = try body(&self)
            try rows.flush()
            try connection.execute("RELEASE zone")
            return result
        } catch {
            try connection.execute("ROLLBACK TO zone; RELEASE zone")
            rows.forget(growth)
            self.header = header
            throw error
        }
    }

    // MARK: Rows

    package func row(_ key: ItemKey) throws -> ZoneRow? { try rows.row(key) }
    package func write(_ row: ZoneRow, for key: ItemKey) throws { try rows.write(row, for: key) }

    package func forget(_ key: ItemKey) throws {
        try rows.write(nil, for: key)
        try connection.run(
            """
            INSERT INTO forgotten (zone, hash) \
            VALUES (\(bind: zone), \(bind: .word(key.stableHash))) ON CONFLICT DO NOTHING
            """)
    }

    package func hasForgotten(_ key: ItemKey) throws -> Bool {
        try connection.findsRow(
            "SELECT 1 FROM forgotten WHERE zone = \(bind: zone) AND hash = \(bind: .word(key.stableHash))")
    }

    private func read(_ query: SQLFragment) throws -> [(key: ItemKey, row: ZoneRow)] {
        try rows.flush()
        return try connection.values(query).map { try ZoneRow.read($0.tree()) }
    }

    package func rows(
        behind sequence: UInt64, _ key: ItemKey?, limit: Int
    ) throws -> [(key: ItemKey, row: ZoneRow)] {
        try read(
            """
            SELECT row FROM item WHERE zone = \(bind: zone) AND \(place(behind: sequence, key)) \
            ORDER BY seq, key LIMIT \(bind: .count(limit))
            """)
    }

    package func rows(after key: ItemKey?, limit: Int) throws -> [(key: ItemKey, row: ZoneRow)] {
        try read(
            """
            SELECT row FROM item WHERE zone = \(bind: zone) AND \(place(after: key)) \
            ORDER BY key LIMIT \(bind: .count(limit))
            """)
    }

    package func rows(inBuckets buckets: Set<Int>) throws -> [(key: ItemKey, row: ZoneRow)] {
        let rows = try buckets.flatMap { bucket in
            try read(
                "SELECT row FROM item WHERE zone = \(bind: zone) AND bucket = \(bind: .count(bucket))")
        }
        return rows.sorted { $0.key < $1.key }
    }

    private func place(behind sequence: UInt64, _ key: ItemKey?) -> SQLFragment {
        guard let key else { return "seq > \(bind: .count(sequence))" }
        return "(seq, key) > (\(bind: .count(sequence)), \(bind: .key(key)))"
    }

    private func place(after key: ItemKey?) -> SQLFragment {
        // No key is empty.
        "key > \(bind: key.map { .key($0) } ?? .bytes([]))"
    }

    package func forgettable(changedBefore milliseconds: UInt64) throws -> [ItemKey] {
        try rows.flush()
        return try connection.values(
            """
            SELECT key FROM item WHERE zone = \(bind: zone) AND gone <> 0 \
            AND changed < \(bind: .count(milliseconds)) ORDER BY key
            """
        ).map { try $0.key() }
    }

    // MARK: Pages

    /// Returns how many of the next rows behind a place a page takes: all within the limit, unless they have
    /// more than so many bytes.
    package func pageSize(
        behind sequence: UInt64, _ key: ItemKey?, limit: Int, bytes: Int
    ) throws -> Int {
        try pageSize(
            limit, bytes,
            """
            SELECT length(row) FROM item WHERE zone = \(bind: zone) AND \(place(behind: sequence, key)) \
            ORDER BY seq, key LIMIT \(bind: .count(limit))
            """)
    }

    package func pageSize(after key: ItemKey?, limit: Int, bytes: Int) throws -> Int {
        try pageSize(
            limit, bytes,
            """
            SELECT length(row) FROM item WHERE zone = \(bind: zone) AND \(place(after: key)) \
            ORDER BY key LIMIT \(bind: .count(limit))
            """)
    }

    private func pageSize(_ limit: Int, _ bytes: Int, _ query: SQLFragment) throws -> Int {
        var rest = bytes
        for (index, size) in try connection.values(query).enumerated() {
            rest -= Int(try size.integer())
            if rest < 0 { return max(1, index) }
        }
        return limit
    }

    // MARK: Indexes

    package func referrers(of target: SyncID) throws -> [Referrer] {
        try rows.flush()
        // Names are ordered as Swift orders them, as in every other storage.
        return try connection.table(
            """
            SELECT object, register FROM referrer WHERE zone = \(bind: zone) AND target = \(bind: .id(target))
            """, columns: 2
        ).map { Referrer(object: try $0[0].id(), register: try $0[1].text()) }
            .sorted { ($0.object, $0.register) < ($1.object, $1.register) }
    }

    package func pairs(of object: SyncID) throws -> [ItemKey] {
        try rows.flush()
        return try connection.values(
            """
            SELECT pair FROM partner WHERE zone = \(bind: zone) AND object = \(bind: .id(object)) ORDER BY pair
            """
        ).map { try $0.key() }
    }

    package func holders(of value: UniqueValue) throws -> [SyncID] {
        try rows.flush()
        return try connection.values(
            """
            SELECT object FROM holder WHERE zone = \(bind: zone) AND value = \(bind: .bytes(value.key)) \
            ORDER BY object
            """
        ).map { try $0.id() }
    }

    // MARK: Devices

    package func device(_ replica: ReplicaID) throws -> DeviceRow? {
        try connection.value(
            "SELECT row FROM device WHERE zone = \(bind: zone) AND replica = \(bind: .id(replica))"
        ).map { try DeviceRow(wire: $0.tree()) }
    }

    package func write(_ device: DeviceRow, for replica: ReplicaID) throws {
        try connection.run(
            """
            INSERT INTO device (zone, replica, row) \
            VALUES (\(bind: zone), \(bind: .id(replica)), \(bind: .tree(device.wire))) \
            ON CONFLICT (zone, replica) DO UPDATE SET row = excluded.row
            """)
    }

    package func noteTaken(_ receipt: [UInt8], at milliseconds: UInt64) throws {
        try connection.run(
            """
            INSERT INTO receipt (zone, receipt, taken) \
            VALUES (\(bind: zone), \(bind: .bytes(receipt)), \(bind: .count(milliseconds))) \
            ON CONFLICT (zone, receipt) DO UPDATE SET taken = excluded.taken
            """)
    }

    package func isTaken(_ receipt: [UInt8]) throws -> Bool {
        try connection.findsRow(
            "SELECT 1 FROM receipt WHERE zone = \(bind: zone) AND receipt = \(bind: .bytes(receipt))")
    }

    package func removeReceipts(takenBefore milliseconds: UInt64) throws {
        try connection.run(
            "DELETE FROM receipt WHERE zone = \(bind: zone) AND taken < \(bind: .count(milliseconds))")
    }

    // MARK: Log

    package func log(_ row: LogRow) throws {
        try connection.run(
            """
            INSERT INTO loss (zone, seq, changed, loser, row) \
            VALUES (\(bind: zone), \(bind: .count(row.sequence)), \(bind: .count(row.changed)), \
            \(bind: .bytes(row.lost.loser)), \(bind: .tree(row.wire))) ON CONFLICT DO NOTHING
            """)
    }

    package func log(behind sequence: UInt64, through end: UInt64) throws -> [LogRow] {
        try connection.values(
            """
            SELECT row FROM loss WHERE zone = \(bind: zone) AND seq > \(bind: .count(sequence)) \
            AND seq <= \(bind: .count(end)) ORDER BY seq, id
            """
        ).map { try LogRow(wire: $0.tree()) }
    }

    package func removeLog(changedBefore milliseconds: UInt64) throws {
        try connection.run(
            "DELETE FROM loss WHERE zone = \(bind: zone) AND changed < \(bind: .count(milliseconds))")
    }
}
