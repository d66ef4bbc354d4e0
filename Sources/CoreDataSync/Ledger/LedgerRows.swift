/// The tables of a ledger's file. Each row is a key and bytes.
package enum LedgerTable: String, CaseIterable, Sendable {
    case part = "Part"
    case entry = "Entry"
    case name = "Name"
    case outgoing = "Outgoing"
    case received = "Received"
    case issue = "Issue"
}

/// What there is once in a ledger, as rows of the table of parts.
package enum LedgerPart: String, CaseIterable, Sendable {
    case header, frozen, unread, questions, intent
    /// Where the history of the app's store was read last.
    case position
    /// The identifier of the app's store.
    case store
    /// The identifier of the ledger, which the metadata of the app's store name.
    case identifier
    /// The roots of the entities, on which the IDs of objects depend.
    case roots
    /// The properties that the store had when it was synced last.
    case properties
    /// How many of the migrations that have changed keys the ledger has followed.
    case keyMoves
    /// The whole name of the zone that the store is synced with.
    case zone
    /// The zone to which the way leads instead.
    case otherZone
    /// Objects that the app's code has changed while imports were saved.
    case strays

    package var key: [UInt8] { Array(rawValue.utf8) }

    /// Whether the machine keeps it, in the ledger's header.
    var isOfHeader: Bool {
        switch self {
        case .header, .frozen, .unread, .questions, .intent: true
        case .position, .store, .identifier, .roots, .properties, .keyMoves, .zone, .otherZone, .strays: false
        }
    }
}

/// Rows of a ledger's file: all that it has, or those to be written, where nil deletes.
package struct LedgerRows: Sendable {
    package struct Row: Sendable {
        package var key: [UInt8]
        package var bytes: [UInt8]
    }

    /// What becomes of a row.
    struct Change: Sendable {
        var bytes: [UInt8]?
        /// Whether the file has no row of the key, so that none is looked for.
        var isNew: Bool
    }

    private(set) var tables: [LedgerTable: [[UInt8]: Change]] = [:]

    package init() {}

    package var isEmpty: Bool { tables.allSatisfy(\.value.isEmpty) }

    package func bytes(_ table: LedgerTable, _ key: [UInt8]) -> [UInt8]? { tables[table]?[key]?.bytes }

    /// Sets a row, or deletes it by nil.
    ///
    /// - Parameter isNew: Whether it is known that the file has no row of the key.
    package mutating func set(_ bytes: [UInt8]?, _ table: LedgerTable, _ key: [UInt8], isNew: Bool = false) {
        tables[table, default: [:]][key] = Change(bytes: bytes, isNew: isNew)
    }

    /// Adds rows that were set later, of which the file has had nothing since. What it has of the others is not
    /// certain after an error.
    mutating func add(_ later: LedgerRows) {
        guard !isEmpty else { return self = later }
        for table in tables.keys {
            tables[table] = tables[table]?.mapValues { Change(bytes: $0.bytes, isNew: false) }
        }
        tables.merge(later.tables) { earlier, later in
            earlier.merging(later) { Change(bytes: $1.bytes, isNew: false) }
        }
    }

    package subscript(table: LedgerTable) -> [Row] {
        (tables[table] ?? [:]).compactMap { key, change in change.bytes.map { Row(key: key, bytes: $0) } }
    }

    /// Makes the key of a number, so that keys are in the order of their numbers.
    package static func key(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
    }

    package static func number(_ key: [UInt8]) -> UInt64 { key.reduce(0) { $0 << 8 | UInt64($1) } }
}
