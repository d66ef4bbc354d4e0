import CoreDataSQL
import CoreDataSyncCore

/// The tables of a zone in SQLite, where a statement a row costs as little as one for many.
struct RowwiseTables: ZoneTables {
    let connection: any SQLConnection
    let zone: Int64

    // MARK: Reading

    func read(_ reading: ZoneReading) throws -> ZoneFindings {
        var findings = ZoneFindings()
        for key in reading.keys {
            try each("SELECT row FROM item WHERE zone = ? AND key = ?", [.key(key)]) {
                findings.rows[key] = try $0.value(at: 0).bytes()
            }
        }
        for lookup in reading.lookups {
            findings.index[lookup] = []
            try read(lookup) { findings.note($0) }
        }
        for hash in reading.hashes {
            try each("SELECT 1 FROM forgotten WHERE zone = ? AND hash = ?", [.word(hash)]) { _ in
                findings.forgotten.insert(hash)
            }
        }
        return findings
    }

    private func read(_ lookup: ZoneLookup, _ note: (ZoneIndexRow) -> Void) throws {
        switch lookup {
        case .referrers(let target):
            try each("SELECT object, register FROM referrer WHERE zone = ? AND target = ?", [.id(target)]) {
                note(
                    .referrer(
                        target: target, object: try $0.value(at: 0).id(),
                        register: try $0.value(at: 1).text()))
            }
        case .pairs(let object):
            try each("SELECT pair FROM partner WHERE zone = ? AND object = ?", [.id(object)]) {
                note(.partner(object, try $0.value(at: 0).key()))
            }
        case .holders(let value):
            try each("SELECT object FROM holder WHERE zone = ? AND value = ?", [.bytes(value)]) {
                note(.holder(value, try $0.value(at: 0).id()))
            }
        }
    }

    private func each(
        _ text: SQLText, _ values: [SQLValue], _ body: (any SQLStatement) throws -> Void
    ) throws {
        let statement = try connection.prepare(text)
        try statement.bind([.integer(zone)] + values)
        defer { statement.reset() }
        while try statement.step() { try body(statement) }
    }

    // MARK: Writing

    func write(_ batch: ZoneBatch) throws {
        for item in batch.items {
            try run(
                """
                INSERT INTO item (zone, key, seq, changed, bucket, gone, row) VALUES (?, ?, ?, ?, ?, ?, ?) \
                ON CONFLICT (zone, key) DO UPDATE SET seq = excluded.seq, changed = excluded.changed, \
                gone = excluded.gone, row = excluded.row
                """,
                [
                    .key(item.key), .count(item.sequence), .count(item.changed),
                    .count(ZoneDigest.bucket(of: item.key)), .integer(item.isForgettable ? 1 : 0),
                    .bytes(item.bytes),
                ])
        }
        for key in batch.removed { try run("DELETE FROM item WHERE zone = ? AND key = ?", [.key(key)]) }
        for row in batch.removedIndex { try run(row.delete, row.values) }
        for row in batch.addedIndex { try run(row.insert, row.values) }
        for hash in batch.forgotten {
            try run(
                "INSERT INTO forgotten (zone, hash) VALUES (?, ?) ON CONFLICT DO NOTHING", [.word(hash)])
        }
        for loss in batch.losses {
            try run(
                """
                INSERT INTO loss (zone, seq, changed, loser, row) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [.count(loss.sequence), .count(loss.changed), .bytes(loss.lost.loser), .tree(loss.wire)])
        }
        for (replica, device) in batch.devices {
            try run(
                """
                INSERT INTO device (zone, replica, row) VALUES (?, ?, ?) \
                ON CONFLICT (zone, replica) DO UPDATE SET row = excluded.row
                """, [.id(replica), .tree(device.wire)])
        }
        for (receipt, taken) in batch.receipts {
            try run(
                """
                INSERT INTO receipt (zone, receipt, taken) VALUES (?, ?, ?) \
                ON CONFLICT (zone, receipt) DO UPDATE SET taken = excluded.taken
                """, [.bytes(receipt), .count(taken)])
        }
        if batch.header != nil || batch.growth != ZoneGrowth() { try writeZone(batch) }
    }

    private func writeZone(_ batch: ZoneBatch) throws {
        try connection.run(
            """
            UPDATE zone SET header = coalesce(\(bind: batch.header.map { .tree($0.wire) } ?? .null), header), \
            items = items + \(bind: .count(batch.growth.items)), bytes = bytes + \(bind: .count(batch.growth.bytes)) \
            WHERE id = \(bind: .integer(zone))
            """)
    }

    private func run(_ text: SQLText, _ values: [SQLValue]) throws {
        let statement = try connection.prepare(text)
        try statement.bind([.integer(zone)] + values)
        _ = try statement.step()
    }
}
