import CoreDataSQL
import CoreDataSyncCore

/// A row by which an item is found.
enum ZoneIndexRow: Hashable {
    case referrer(target: SyncID, object: SyncID, register: String)
    case partner(SyncID, ItemKey)
    case holder([UInt8], SyncID)
    case blob([UInt8], ItemKey)

    /// Returns the rows of an item.
    static func rows(of row: ZoneRow, _ key: ItemKey, _ schema: SyncSchema) -> Set<ZoneIndexRow> {
        switch key {
        case .pair(_, let first, let second): return [.partner(first, key), .partner(second, key)]
        case .object(let id):
            let entries = IndexEntries(row.state, schema: schema)
            var rows: Set<ZoneIndexRow> = []
            for (register, target) in entries.targets {
                rows.insert(.referrer(target: target, object: id, register: register))
            }
            for value in entries.unique { rows.insert(.holder(value.key, id)) }
            for register in row.state.registers.values {
                for hash in register.value.blobs { rows.insert(.blob(hash.bytes, key)) }
            }
            return rows
        }
    }

    /// The values behind the zone.
    var values: [SQLValue] {
        switch self {
        case .referrer(let target, let object, let register): [.id(target), .id(object), .text(register)]
        case .partner(let object, let pair): [.id(object), .key(pair)]
        case .holder(let value, let object): [.bytes(value), .id(object)]
        case .blob(let hash, let item): [.bytes(hash), .key(item)]
        }
    }

    /// The question that the row answers; nil for one that is only asked in SQL.
    var lookup: ZoneLookup? {
        switch self {
        case .referrer(let target, _, _): .referrers(target)
        case .partner(let object, _): .pairs(object)
        case .holder(let value, _): .holders(value)
        case .blob: nil
        }
    }

    var insert: SQLText {
        switch self {
        case .referrer:
            "INSERT INTO referrer (zone, target, object, register) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        case .partner: "INSERT INTO partner (zone, object, pair) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        case .holder: "INSERT INTO holder (zone, value, object) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        case .blob: "INSERT INTO blob_use (zone, hash, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        }
    }

    var delete: SQLText {
        switch self {
        case .referrer:
            "DELETE FROM referrer WHERE zone = ? AND target = ? AND object = ? AND register = ?"
        case .partner: "DELETE FROM partner WHERE zone = ? AND object = ? AND pair = ?"
        case .holder: "DELETE FROM holder WHERE zone = ? AND value = ? AND object = ?"
        case .blob: "DELETE FROM blob_use WHERE zone = ? AND hash = ? AND item = ?"
        }
    }
}

/// A question to the indexes of a zone.
enum ZoneLookup: Hashable {
    case referrers(SyncID)
    case pairs(SyncID)
    case holders([UInt8])
}
