import CoreDataSQL
import CoreDataSyncCore

/// The rows that a transaction has read and written.
///
/// A push writes an object once for each of its registers. The rows are kept here and reach the database
/// once: before a query that has to find them, and at the end.
final class ZoneRows {
    private struct Entry {
        /// The row that the database has, and its size.
        var stored: ZoneRow?
        var size: Int
        var row: ZoneRow?
    }

    /// By how much a zone has grown.
    struct Growth: Hashable {
        var items = 0
        var bytes = 0
    }

    /// The bytes of an item at most.
    static let largest = 1 << 20

    let connection: any SQLConnection
    let zone: Int64
    private let schema: SyncSchema
    private var entries: [ItemKey: Entry] = [:]
    private var changed: Set<ItemKey> = []
    private(set) var growth = Growth()

    init(_ connection: any SQLConnection, zone: Int64, schema: SyncSchema) {
        self.connection = connection
        self.zone = zone
        self.schema = schema
    }

    func row(_ key: ItemKey) throws -> ZoneRow? { try entry(key).row }

    func write(_ row: ZoneRow?, for key: ItemKey) throws {
        var entry = try entry(key)
        entry.row = row
        entries[key] = entry
        changed.insert(key)
    }

    private func entry(_ key: ItemKey) throws -> Entry {
        if let entry = entries[key] { return entry }
        let statement = try connection.prepare("SELECT row FROM item WHERE zone = ? AND key = ?")
        try statement.bind([.integer(zone), .key(key)])
        defer { statement.reset() }
        var entry = Entry(stored: nil, size: 0, row: nil)
        if try statement.step() {
            let value = statement.value(at: 0)
            entry.size = try value.bytes().count
            entry.stored = try ZoneRow.read(value.tree()).row
            entry.row = entry.stored
        }
        entries[key] = entry
        return entry
    }

    /// Writes to the database what has changed.
    ///
    /// - Throws: `Refusal.invalid` for an item that is too large.
    func flush() throws {
        for key in changed.sorted() {
            guard var entry = entries[key] else { continue }
            let size: Int
            if let row = entry.row {
                size = try store(row, key)
            } else {
                size = 0
                try connection.run(
                    "DELETE FROM item WHERE zone = \(bind: .integer(zone)) AND key = \(bind: .key(key))")
            }
            try index(key, entry)
            growth.items += (entry.row == nil ? 0 : 1) - (entry.stored == nil ? 0 : 1)
            growth.bytes += size - entry.size
            entry.stored = entry.row
            entry.size = size
            entries[key] = entry
        }
        changed = []
    }

    /// Forgets all rows, after the database has undone them.
    ///
    /// - Parameter growth: What it was before them.
    func forget(_ growth: Growth) {
        entries = [:]
        changed = []
        self.growth = growth
    }

    private func store(_ row: ZoneRow, _ key: ItemKey) throws -> Int {
        let bytes = CBORWriter.bytes(of: row.wire(as: key))
        guard bytes.count <= Self.largest else {
            throw Refusal.invalid("an object has at most \(Self.largest) bytes")
        }
        let statement = try connection.prepare(
            """
            INSERT INTO item (zone, key, seq, changed, bucket, gone, row) VALUES (?, ?, ?, ?, ?, ?, ?) \
            ON CONFLICT (zone, key) DO UPDATE SET seq = excluded.seq, changed = excluded.changed, gone = excluded.gone, \
            row = excluded.row
            """)
        try statement.bind([
            .integer(zone), .key(key), .count(row.sequence), .count(row.changed),
            .count(ZoneDigest.bucket(of: key)), .integer(row.isForgettable(as: key) ? 1 : 0), .bytes(bytes),
        ])
        _ = try statement.step()
        return bytes.count
    }

    // MARK: Indexes

    private func index(_ key: ItemKey, _ entry: Entry) throws {
        let old = indexRows(key, entry.stored)
        let new = indexRows(key, entry.row)
        for row in old.subtracting(new) { try run(row.delete, row.values) }
        for row in new.subtracting(old) { try run(row.insert, row.values) }
    }

    private func run(_ text: SQLText, _ values: [SQLValue]) throws {
        let statement = try connection.prepare(text)
        try statement.bind([.integer(zone)] + values)
        _ = try statement.step()
    }

    private func indexRows(_ key: ItemKey, _ row: ZoneRow?) -> Set<ZoneIndexRow> {
        row.map { ZoneIndexRow.rows(of: $0, key, schema) } ?? []
    }
}
