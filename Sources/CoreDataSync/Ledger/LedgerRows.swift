/// The tables of a ledger's file. Each row is a key and bytes.
package enum LedgerTable: String, CaseIterable, Sendable {
    case part = "Part"
    /// Entries, which are found by the name of the object in the store, too.
    case entry = "Entry"
    /// Which items name an object: by the object and the item, without bytes.
    case link = "Link"
    case name = "Name"
    /// Changes that wait, by their numbers, which are found by their items, too.
    case outgoing = "Outgoing"
    case received = "Received"
    case issue = "Issue"

    /// Whether rows are found by a second key.
    var hasSecondKey: Bool { self == .entry || self == .link || self == .outgoing }
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
    /// The received items that were not imported, if they are no more than a page. More of them have rows of their own.
    case received
    /// The digest of all entries. A file without it is of a version that did not note what entries are found by.
    case digest

    package var key: [UInt8] { Array(rawValue.utf8) }

    /// Whether it is the machine's shell that keeps it, and the machine knows nothing of it.
    var isOfShell: Bool {
        switch self {
        case .header, .frozen, .unread, .questions, .intent, .received, .digest: false
        case .position, .store, .identifier, .roots, .properties, .keyMoves, .zone, .otherZone, .strays: true
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
        var secondKey: [UInt8]?
    }

    private(set) var tables: [LedgerTable: [[UInt8]: Change]] = [:]

    package init() {}

    package var isEmpty: Bool { tables.allSatisfy(\.value.isEmpty) }

    package func bytes(_ table: LedgerTable, _ key: [UInt8]) -> [UInt8]? { tables[table]?[key]?.bytes }

    /// Sets a row, or deletes it by nil.
    ///
    /// - Parameters:
    ///   - isNew: Whether it is known that the file has no row of the key.
    ///   - secondKey: What the row is found by besides, in a table that has it.
    package mutating func set(
        _ bytes: [UInt8]?, _ table: LedgerTable, _ key: [UInt8], isNew: Bool = false,
        secondKey: [UInt8]? = nil
    ) {
        tables[table, default: [:]][key] = Change(bytes: bytes, isNew: isNew, secondKey: secondKey)
    }

    /// Adds rows that were set later, of which the file has had nothing since. What it has of the others is not
    /// certain after an error.
    package mutating func add(_ later: LedgerRows) {
        guard !isEmpty else { return self = later }
        tables.merge(later.tables) { $0.merging($1) { $1 } }
        for table in tables.keys {
            tables[table] = tables[table]?.mapValues {
                Change(bytes: $0.bytes, isNew: false, secondKey: $0.secondKey)
            }
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
