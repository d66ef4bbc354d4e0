import CoreDataSyncCore

/// The tables of a zone, as its rows are read and written: many at once.
protocol ZoneTables {
    func read(_ reading: ZoneReading) throws -> ZoneFindings
    func write(_ batch: ZoneBatch) throws
}

/// What is to be read.
struct ZoneReading {
    var keys: Set<ItemKey> = []
    var lookups: Set<ZoneLookup> = []
    /// The hashes of keys that may be forgotten.
    var hashes: Set<UInt64> = []

    var isEmpty: Bool { keys.isEmpty && lookups.isEmpty && hashes.isEmpty }
}

/// What was found of it.
struct ZoneFindings {
    var rows: [ItemKey: [UInt8]] = [:]
    var index: [ZoneLookup: Set<ZoneIndexRow>] = [:]
    var forgotten: Set<UInt64> = []

    mutating func note(_ row: ZoneIndexRow) {
        if let lookup = row.lookup { index[lookup, default: []].insert(row) }
    }
}

/// What is to be written.
struct ZoneBatch {
    struct Item {
        var key: ItemKey
        var sequence: UInt64
        var changed: UInt64
        var isForgettable: Bool
        var bytes: [UInt8]
    }

    var items: [Item] = []
    /// The items that are removed.
    var removed: [ItemKey] = []
    var addedIndex: [ZoneIndexRow] = []
    var removedIndex: [ZoneIndexRow] = []
    var forgotten: [UInt64] = []
    var losses: [LogRow] = []
    var devices: [ReplicaID: DeviceRow] = [:]
    /// When each receipt was taken.
    var receipts: [[UInt8]: UInt64] = [:]
    var header: ZoneHeader?
    var growth = ZoneGrowth()

    var isEmpty: Bool {
        items.isEmpty && removed.isEmpty && addedIndex.isEmpty && removedIndex.isEmpty && forgotten.isEmpty
            && losses.isEmpty && devices.isEmpty && receipts.isEmpty && header == nil
            && growth == ZoneGrowth()
    }
}

/// By how much a zone has grown.
struct ZoneGrowth: Hashable {
    var items = 0
    var bytes = 0
}
