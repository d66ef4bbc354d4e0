#if PostgreSQL
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataSyncCore
import Foundation

/// The tables of a zone in PostgreSQL, to which every trip takes time: all that is read or written at once takes one, with
/// a statement a table and an array a column.
struct ArrayTables: ZoneTables {
    let session: Session
    let zone: Int64

    // MARK: Reading

    func read(_ reading: ZoneReading) throws -> ZoneFindings {
        var findings = ZoneFindings()
        for lookup in reading.lookups { findings.index[lookup] = [] }
        var steps: [PipelineStep] = []
        var readers: [(RowCells, inout ZoneFindings) throws -> Void] = []
        func ask(
            _ sql: SQLText, _ values: [Data], _ read: @escaping (RowCells, inout ZoneFindings) throws -> Void
        ) {
            guard !values.isEmpty else { return }
            var parameters = ParameterList(zone)
            parameters.append(array: values)
            steps.append(PipelineStep(sql, parameters))
            readers.append(read)
        }
        ask(
            "SELECT key, row FROM item WHERE zone = ? AND key = ANY(?)",
            reading.keys.map { Data($0.ordered) }
        ) { $1.rows[try $0.key(0)] = try $0.bytes(1) }
        ask(
            "SELECT target, object, register FROM referrer WHERE zone = ? AND target = ANY(?)",
            reading.lookups.compactMap { if case .referrers(let id) = $0 { Data(id.bytes) } else { nil } }
        ) { $1.note(.referrer(target: try $0.id(0), object: try $0.id(1), register: try $0.text(2))) }
        ask(
            "SELECT object, pair FROM partner WHERE zone = ? AND object = ANY(?)",
            reading.lookups.compactMap { if case .pairs(let id) = $0 { Data(id.bytes) } else { nil } }
        ) { $1.note(.partner(try $0.id(0), try $0.key(1))) }
        ask(
            "SELECT value, object FROM holder WHERE zone = ? AND value = ANY(?)",
            reading.lookups.compactMap { if case .holders(let value) = $0 { Data(value) } else { nil } }
        ) { $1.note(.holder(try $0.bytes(0), try $0.id(1))) }
        if !reading.hashes.isEmpty {
            var parameters = ParameterList(zone)
            parameters.append(array: reading.hashes.map { Int64(bitPattern: $0) })
            steps.append(
                PipelineStep("SELECT hash FROM forgotten WHERE zone = ? AND hash = ANY(?)", parameters))
            readers.append { $1.forgotten.insert(UInt64(bitPattern: $0.integer(0))) }
        }
        for (result, read) in zip(try session.send(steps), readers) {
            try result.forEachRow { try read($0, &findings) }
        }
        return findings
    }

    // MARK: Writing

    func write(_ batch: ZoneBatch) throws {
        var steps = itemSteps(batch) + indexSteps(batch) + logSteps(batch)
        if batch.header != nil || batch.growth != ZoneGrowth() {
            var parameters = ParameterList()
            parameters.append(batch.header.map { Data(CBORWriter.bytes(of: $0.wire)) })
            for number in [Int64(batch.growth.items), Int64(batch.growth.bytes), zone] {
                parameters.append(number)
            }
            steps.append(
                PipelineStep(
                    """
                    UPDATE zone SET header = coalesce(?, header), items = items + ?, bytes = bytes + ? \
                    WHERE id = ?
                    """, parameters))
        }
        _ = try session.send(steps)
    }

    private func itemSteps(_ batch: ZoneBatch) -> [PipelineStep] {
        var steps: [PipelineStep] = []
        if !batch.items.isEmpty {
            var columns = ParameterList(zone)
            columns.append(array: batch.items.map { Data($0.key.ordered) })
            columns.append(array: batch.items.map { Int64(clamping: $0.sequence) })
            columns.append(array: batch.items.map { Int64(clamping: $0.changed) })
            columns.append(array: batch.items.map { Int64(ZoneDigest.bucket(of: $0.key)) })
            columns.append(array: batch.items.map { Int64($0.isForgettable ? 1 : 0) })
            columns.append(array: batch.items.map { Data($0.bytes) })
            steps.append(
                PipelineStep(
                    """
                    INSERT INTO item (zone, key, seq, changed, bucket, gone, row) \
                    SELECT ?, * FROM unnest(?, ?, ?, ?, ?, ?) \
                    ON CONFLICT (zone, key) DO UPDATE SET seq = excluded.seq, changed = excluded.changed, \
                    gone = excluded.gone, row = excluded.row
                    """, columns))
        }
        if !batch.removed.isEmpty {
            var columns = ParameterList(zone)
            columns.append(array: batch.removed.map { Data($0.ordered) })
            steps.append(PipelineStep("DELETE FROM item WHERE zone = ? AND key = ANY(?)", columns))
        }
        return steps
    }

    /// Rows of one table of an index, column by column.
    private struct IndexColumns {
        var bytes: [[Data]] = [[], []]
        var registers: [String] = []

        mutating func add(_ first: [UInt8], _ second: [UInt8], _ register: String? = nil) {
            bytes[0].append(Data(first))
            bytes[1].append(Data(second))
            if let register { registers.append(register) }
        }

        func parameters(of zone: Int64) -> ParameterList {
            var columns = ParameterList(zone)
            for column in bytes { columns.append(array: column) }
            if !registers.isEmpty { columns.append(array: registers) }
            return columns
        }
    }

    private func indexSteps(_ batch: ZoneBatch) -> [PipelineStep] {
        var steps: [PipelineStep] = []
        for (rows, isAdding) in [(batch.removedIndex, false), (batch.addedIndex, true)] {
            var tables: [String: IndexColumns] = [:]
            for row in rows {
                switch row {
                case .referrer(let target, let object, let register):
                    tables["referrer", default: IndexColumns()].add(target.bytes, object.bytes, register)
                case .partner(let object, let pair):
                    tables["partner", default: IndexColumns()].add(object.bytes, pair.ordered)
                case .holder(let value, let object):
                    tables["holder", default: IndexColumns()].add(value, object.bytes)
                case .blob(let hash, let item):
                    tables["blob_use", default: IndexColumns()].add(hash, item.ordered)
                }
            }
            for (name, columns) in tables.sorted(by: { $0.key < $1.key }) {
                guard let texts = Self.texts[name] else { continue }
                steps.append(
                    PipelineStep(isAdding ? texts.insert : texts.delete, columns.parameters(of: zone)))
            }
        }
        return steps
    }

    private static let texts: [String: (insert: SQLText, delete: SQLText)] = [
        "referrer": (
            """
            INSERT INTO referrer (zone, target, object, register) SELECT ?, * FROM unnest(?, ?, ?) \
            ON CONFLICT DO NOTHING
            """,
            """
            DELETE FROM referrer WHERE zone = ? AND (target, object, register) IN (SELECT * FROM unnest(?, ?, ?))
            """
        ),
        "partner": (
            "INSERT INTO partner (zone, object, pair) SELECT ?, * FROM unnest(?, ?) ON CONFLICT DO NOTHING",
            "DELETE FROM partner WHERE zone = ? AND (object, pair) IN (SELECT * FROM unnest(?, ?))"
        ),
        "holder": (
            "INSERT INTO holder (zone, value, object) SELECT ?, * FROM unnest(?, ?) ON CONFLICT DO NOTHING",
            "DELETE FROM holder WHERE zone = ? AND (value, object) IN (SELECT * FROM unnest(?, ?))"
        ),
        "blob_use": (
            "INSERT INTO blob_use (zone, hash, item) SELECT ?, * FROM unnest(?, ?) ON CONFLICT DO NOTHING",
            "DELETE FROM blob_use WHERE zone = ? AND (hash, item) IN (SELECT * FROM unnest(?, ?))"
        ),
    ]

    private func logSteps(_ batch: ZoneBatch) -> [PipelineStep] {
        var steps: [PipelineStep] = []
        if !batch.forgotten.isEmpty {
            var columns = ParameterList(zone)
            columns.append(array: batch.forgotten.map { Int64(bitPattern: $0) })
            steps.append(
                PipelineStep(
                    """
                    INSERT INTO forgotten (zone, hash) SELECT ?, * FROM unnest(?) ON CONFLICT DO NOTHING
                    """, columns))
        }
        if !batch.losses.isEmpty {
            var columns = ParameterList(zone)
            columns.append(array: batch.losses.map { Int64(clamping: $0.sequence) })
            columns.append(array: batch.losses.map { Int64(clamping: $0.changed) })
            columns.append(array: batch.losses.map { Data($0.lost.loser) })
            columns.append(array: batch.losses.map { Data(CBORWriter.bytes(of: $0.wire)) })
            // The number of an entry says which came first.
            steps.append(
                PipelineStep(
                    """
                    INSERT INTO loss (zone, seq, changed, loser, row) SELECT ?, seq, changed, loser, row \
                    FROM unnest(?, ?, ?, ?) WITH ORDINALITY AS losses (seq, changed, loser, row, place) \
                    ORDER BY place ON CONFLICT DO NOTHING
                    """, columns))
        }
        if !batch.devices.isEmpty {
            var columns = ParameterList(zone)
            let devices = Array(batch.devices)
            columns.append(array: devices.map { Data($0.key.bytes) })
            columns.append(array: devices.map { Data(CBORWriter.bytes(of: $0.value.wire)) })
            steps.append(
                PipelineStep(
                    """
                    INSERT INTO device (zone, replica, row) SELECT ?, * FROM unnest(?, ?) \
                    ON CONFLICT (zone, replica) DO UPDATE SET row = excluded.row
                    """, columns))
        }
        if !batch.receipts.isEmpty {
            var columns = ParameterList(zone)
            let receipts = Array(batch.receipts)
            columns.append(array: receipts.map { Data($0.key) })
            columns.append(array: receipts.map { Int64(clamping: $0.value) })
            steps.append(
                PipelineStep(
                    """
                    INSERT INTO receipt (zone, receipt, taken) SELECT ?, * FROM unnest(?, ?) \
                    ON CONFLICT (zone, receipt) DO UPDATE SET taken = excluded.taken
                    """, columns))
        }
        return steps
    }
}

extension RowCells {
    fileprivate func bytes(_ column: Int) throws -> [UInt8] {
        guard let data: Data = value(column) else { throw DamagedRow(description: "bytes were expected") }
        return [UInt8](data)
    }

    fileprivate func id(_ column: Int) throws -> SyncID { try SQLValue.bytes(try bytes(column)).id() }
    fileprivate func key(_ column: Int) throws -> ItemKey { try SQLValue.bytes(try bytes(column)).key() }

    fileprivate func text(_ column: Int) throws -> String {
        guard let text: String = value(column) else { throw DamagedRow(description: "a text was expected") }
        return text
    }
}
#endif
