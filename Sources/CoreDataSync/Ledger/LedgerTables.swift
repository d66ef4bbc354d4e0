internal import CoreData
internal import Foundation

/// The tables of a ledger's file, as far as they are read.
struct LedgerTables: Sendable {
    let context: NSManagedObjectContext

    /// How many rows are found by one fetch.
    static let portion = 400

    /// Returns the rows of a table that have some keys, or second keys.
    func rows(
        of table: LedgerTable, _ attribute: String, in keys: some Collection<[UInt8]>
    ) throws -> [LedgerRows.Row] {
        guard !keys.isEmpty else { return [] }
        let keys = keys.map { Data($0) }
        return try context.performAndWait {
            defer { context.reset() }
            return try stride(from: 0, to: keys.count, by: Self.portion).flatMap { start in
                let some = Array(keys[start..<min(start + Self.portion, keys.count)])
                let condition = NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: attribute),
                    rightExpression: NSExpression(forConstantValue: some), modifier: .direct, type: .in)
                return try rows(of: table, condition)
            }
        }
    }

    /// Returns the first rows of a table in the order of their keys.
    func firstRows(of table: LedgerTable, _ count: Int) throws -> [LedgerRows.Row] {
        try context.performAndWait {
            defer { context.reset() }
            let order = NSSortDescriptor(key: LedgerModel.key, ascending: true)
            return try rows(of: table, nil, order: [order], limit: count == .max ? 0 : count)
        }
    }

    func count(of table: LedgerTable) throws -> Int {
        try context.performAndWait {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: table.rawValue))
        }
    }

    /// Whether a table has no rows.
    func isEmpty(_ table: LedgerTable) throws -> Bool { try !contains(table, nil) }

    /// Whether a table has rows that an earlier version has written, by which they are not found.
    func hasRowsWithoutSecondKey(_ table: LedgerTable) throws -> Bool {
        try contains(table, NSPredicate(format: "%K == nil", LedgerModel.secondKey))
    }

    private func contains(_ table: LedgerTable, _ condition: NSPredicate?) throws -> Bool {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: table.rawValue)
            request.predicate = condition
            request.fetchLimit = 1
            return try context.count(for: request) > 0
        }
    }

    /// Calls a block with the key of each row of a table. Few of them are in memory as data at the same time.
    func forEachKey(of table: LedgerTable, _ body: ([UInt8]) throws -> Void) throws {
        try context.performAndWait {
            // Nothing is written on the context's queue meanwhile.
            for offset in stride(from: 0, to: Int.max, by: 4000) {
                let request = NSFetchRequest<NSDictionary>(entityName: table.rawValue)
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = [LedgerModel.key]
                (request.fetchLimit, request.fetchOffset) = (4000, offset)
                let rows = try context.fetch(request)
                for row in rows {
                    if let key = row[LedgerModel.key] as? NSData { try body(Array(Data(referencing: key))) }
                }
                if rows.count < 4000 { return }
            }
        }
    }

    /// Returns all rows of some tables. Called on the context's queue.
    func rows(of tables: [LedgerTable]) throws -> LedgerRows {
        var rows = LedgerRows()
        for table in tables {
            for row in try self.rows(of: table, nil) { rows.set(row.bytes, table, row.key) }
        }
        return rows
    }

    private func rows(
        of table: LedgerTable, _ condition: NSPredicate?, order: [NSSortDescriptor]? = nil, limit: Int = 0
    ) throws -> [LedgerRows.Row] {
        // Objects have their data as it is. Dictionaries have it as other objects, which are copied byte by byte.
        let request = NSFetchRequest<NSManagedObject>(entityName: table.rawValue)
        request.predicate = condition
        request.sortDescriptors = order
        request.fetchLimit = limit
        request.returnsObjectsAsFaults = false
        return try context.fetch(request).compactMap { row in
            guard let key = row.value(forKey: LedgerModel.key) as? Data,
                let bytes = row.value(forKey: LedgerModel.bytes) as? Data
            else { return nil }
            return LedgerRows.Row(key: Array(key), bytes: Array(bytes))
        }
    }
}
