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
    /// How many values have lost here, by the rule by which they did.
    private(set) var losses: [LostValue.Reason: Int] = [:]

    /// By how much the rows that `finish` and queries have written weigh more than those that were there before.
    var growth: Int { rows.growth }

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
    package func finish() throws { try rows.flush(header == stored ? nil : header) }

    /// Runs `body`, and undoes what it has done if it throws.
    ///
    /// - Throws: What `body` throws, or `Refusal.invalid` for an item that is too large.
    package mutating func transaction<Result>(_ body: (inout Self) throws -> Result) throws -> Result {
        try rows.flush()
        let (header, losses) = (header, losses)
        rows.begin()
        do {
            let result = try body(&self)
            try rows.encode()
            try rows.keep()
            return result
        } catch {
            try rows.undo()
            (self.header, self.losses) = (header, losses)
            throw error
        }
    }

    package var isDistant: Bool { connection.hasRivals }

    package func expect(_ questions: ZoneQuestions) throws {
        var reading = ZoneReading(keys: questions.rows)
        reading.lookups.formUnion(questions.referrers.map { .referrers($0) })
        reading.lookups.formUnion(questions.pairs.map { .pairs($0) })
        reading.lookups.formUnion(questions.holders.map { .holders($0.key) })
        reading.hashes = Set(questions.forgotten.map(\.stableHash))
        try rows.read(reading)
    }

    // MARK: Rows

    package func row(_ key: ItemKey) throws -> ZoneRow? { try rows.row(key) }
    package func write(_ row: ZoneRow, for key: ItemKey) throws { try rows.write(row, for: key) }

    package func forget(_ key: ItemKey) throws { try rows.forget(key) }
    package func hasForgotten(_ key: ItemKey) throws -> Bool { try rows.hasForgotten(key) }

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

    package func count() throws -> Int {
        try rows.flush()
        let count = try connection.value("SELECT items FROM zone WHERE id = \(bind: zone)")?.count()
        return Int(clamping: count ?? 0)
    }

    package func rows(after key: ItemKey?, limit: Int) throws -> [(key: ItemKey, row: ZoneRow)] {
        try read(
            """
            SELECT row FROM item WHERE zone = \(bind: zone) AND \(place(after: key)) \
            ORDER BY key LIMIT \(bind: .count(limit))
            """)
    }

    package func rows(inBuckets buckets: Set<Int>) throws -> [(key: ItemKey, row: ZoneRow)] {
        guard !buckets.isEmpty else { return [] }
        let list = buckets.sorted().map { "\(bind: .count($0))" as SQLFragment }.joined(separator: ", ")
        return try read(
            "SELECT row FROM item WHERE zone = \(bind: zone) AND bucket IN (\(list)) ORDER BY key")
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
        // Names are ordered as Swift orders them, as in every other storage.
        try rows.rows(.referrers(target)).compactMap { row in
            if case .referrer(_, let object, let register) = row {
                Referrer(object: object, register: register)
            } else {
                nil
            }
        }.sorted { ($0.object, $0.register) < ($1.object, $1.register) }
    }

    package func pairs(of object: SyncID) throws -> [ItemKey] {
        try rows.rows(.pairs(object)).compactMap { if case .partner(_, let pair) = $0 { pair } else { nil } }
            .sorted()
    }

    package func holders(of value: UniqueValue) throws -> [SyncID] {
        try rows.rows(.holders(value.key)).compactMap {
            if case .holder(_, let object) = $0 { object } else { nil }
        }.sorted()
    }

    // MARK: Devices

    package func device(_ replica: ReplicaID) throws -> DeviceRow? {
        try rows.flush()
        return try connection.value(
            "SELECT row FROM device WHERE zone = \(bind: zone) AND replica = \(bind: .id(replica))"
        ).map { try DeviceRow(wire: $0.tree()) }
    }

    package func write(_ device: DeviceRow, for replica: ReplicaID) { rows.write(device, for: replica) }

    package func noteTaken(_ receipt: [UInt8], at milliseconds: UInt64) {
        rows.noteTaken(receipt, at: milliseconds)
    }

    package func isTaken(_ receipt: [UInt8]) throws -> Bool {
        try rows.flush()
        return try connection.findsRow(
            "SELECT 1 FROM receipt WHERE zone = \(bind: zone) AND receipt = \(bind: .bytes(receipt))")
    }

    package func removeReceipts(takenBefore milliseconds: UInt64) throws {
        try rows.flush()
        try connection.run(
            "DELETE FROM receipt WHERE zone = \(bind: zone) AND taken < \(bind: .count(milliseconds))")
    }

    // MARK: Log

    package mutating func log(_ row: LogRow) {
        losses[row.lost.reason, default: 0] += 1
        rows.log(row)
    }

    package func log(behind sequence: UInt64, through end: UInt64) throws -> [LogRow] {
        try rows.flush()
        return try connection.values(
            """
            SELECT row FROM loss WHERE zone = \(bind: zone) AND seq > \(bind: .count(sequence)) \
            AND seq <= \(bind: .count(end)) ORDER BY seq, id
            """
        ).map { try LogRow(wire: $0.tree()) }
    }

    package func removeLog(changedBefore milliseconds: UInt64) throws {
        try rows.flush()
        try connection.run(
            "DELETE FROM loss WHERE zone = \(bind: zone) AND changed < \(bind: .count(milliseconds))")
    }
}
