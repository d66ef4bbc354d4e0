import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Hands out keys: Z_MAX of the root entity, raised in the transaction of the caller (sqlite-store §2). A key is
/// never handed out twice.
package struct KeyAllocator {
    private let schema: StoreSchema
    private let connection: any SQLConnection

    package init(schema: StoreSchema, connection: any SQLConnection) {
        self.schema = schema
        self.connection = connection
    }

    /// The first of `count` new keys in the table of an entity's root.
    package func keys(_ count: Int, of entity: EntityIndex) throws(SQLError) -> Int64 {
        let root = schema.model[entity].root
        guard let number = schema[root]?.number else {
            throw SQLError(
                kind: .other, code: 1, message: "\(schema.model[root].name) is not in this store", sql: nil)
        }
        return try Self.keys(count, number: number, on: connection)
    }

    /// The same by entity number, for the store's own tables too.
    static func keys(
        _ count: Int,
        number: Int64,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int64 {
        let highest = try highestKey(number, on: connection)
        // Negative keys are those of rows that have none yet.
        let (last, isTooHigh) = highest.addingReportingOverflow(Int64(count))
        guard highest >= 0, !isTooHigh, last < .max else {
            throw SQLError(
                kind: .corrupt, code: 11,
                message: "Z_PRIMARYKEY has no sensible highest key for the number \(number)", sql: nil)
        }
        // Not by `RETURNING`, which makes a table for what it returns.
        let raise = try connection.prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
        try raise.bind(last, at: 1)
        try raise.bind(number, at: 2)
        _ = try raise.step()
        return highest + 1
    }

    private static func highestKey(_ number: Int64, on connection: any SQLConnection) throws(SQLError)
        -> Int64
    {
        let read = try connection.prepare("SELECT COALESCE(Z_MAX, 0) FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
        try read.bind(number, at: 1)
        defer { read.reset() }
        guard try read.step() else {
            throw SQLError(
                kind: .corrupt, code: 11, message: "Z_PRIMARYKEY has no row \(number)", sql: nil)
        }
        return read.integer(at: 0)
    }

    /// Permanent references for rows with temporary keys, in the order of the rows.
    package func permanent(for rows: [Snapshot]) throws(SQLError) -> ReferenceMap {
        var families = Families()
        var temporary = 0
        rows.forEachBorrowed { row in
            guard row.key < 0 else { return }
            families.count(row.root)
            temporary += 1
        }
        guard temporary > 0 else { return [:] }
        families.all.sort { $0.root < $1.root }
        for index in families.all.indices {
            families.all[index].next = try keys(families.all[index].count, of: families.all[index].root)
        }
        var result = ReferenceMap(minimumCapacity: temporary)
        rows.forEachBorrowed { row in
            guard row.key < 0 else { return }
            let reference = row.reference
            result[reference] = ObjectReference(
                entity: reference.entity, key: families.nextKey(row.root))
        }
        return result
    }

    /// The inheritance trees of the rows of a save, which are few.
    private struct Families {
        struct Family {
            let root: EntityIndex
            var count = 0
            var next: Int64 = 0
        }

        var all: [Family] = []
        private var last = 0

        mutating func count(_ root: EntityIndex) {
            find(root)
            all[last].count += 1
        }

        mutating func nextKey(_ root: EntityIndex) -> Int64 {
            find(root)
            defer { all[last].next += 1 }
            return all[last].next
        }

        /// As a rule the family of the row before.
        private mutating func find(_ root: EntityIndex) {
            if last < all.count, all[last].root == root { return }
            if let known = all.firstIndex(where: { $0.root == root }) {
                last = known
            } else {
                last = all.count
                all.append(Family(root: root))
            }
        }
    }
}
