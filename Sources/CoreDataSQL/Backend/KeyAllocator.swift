import CoreDataModelFormat
import CoreDataStore
package import CoreDataValues

/// The allocation of keys: Z_MAX of the root entity, raised in the transaction of the caller (sqlite-store
/// §2).
///
/// No key is given out twice.
package struct KeyAllocator {
    private let schema: StoreSchema
    private let connection: any SQLConnection

    package init(schema: StoreSchema, connection: any SQLConnection) {
        self.schema = schema
        self.connection = connection
    }

    /// Returns the first of `count` new keys in the table of an entity's root.
    package func keys(_ count: Int, of entity: EntityIndex) throws(SQLError) -> Int64 {
        let root = schema.model[entity].root
        guard let number = schema[root]?.number else {
            throw SQLError(
                kind: .other, code: 1, message: "\(schema.model[root].name) is not in this store", sql: nil)
        }
        return try Self.keys(count, number: number, on: connection)
    }

    /// Returns the first of `count` new keys by entity number, for the store's own tables too.
    static func keys(
        _ count: Int,
        number: Int64,
        on connection: any SQLConnection
    ) throws(SQLError) -> Int64 {
        let highest = try highestKey(number, on: connection)
        // Negative keys are those of rows that are not saved yet.
        let (last, isTooHigh) = highest.addingReportingOverflow(Int64(count))
        guard highest >= 0, !isTooHigh, last < .max else {
            throw SQLError(
                kind: .corrupt, code: 11,
                message: "Z_PRIMARYKEY has no sensible highest key for the number \(number)", sql: nil)
        }
        let statement = try connection.prepare(raise)
        try statement.bind(last, at: 1)
        try statement.bind(number, at: 2)
        _ = try statement.step()
        return highest + 1
    }

    private static let highest: SQLText =
        "SELECT COALESCE(Z_MAX, 0) FROM Z_PRIMARYKEY WHERE Z_ENT = \(placeholder: .integer)"
    /// `RETURNING` would make a temporary table for its rows.
    private static let raise: SQLText =
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(placeholder: .integer) WHERE Z_ENT = \(placeholder: .integer)"

    private static func highestKey(_ number: Int64, on connection: any SQLConnection) throws(SQLError)
        -> Int64
    {
        let statement = try connection.prepare(highest)
        try statement.bind(number, at: 1)
        defer { statement.reset() }
        guard try statement.step() else {
            throw SQLError(
                kind: .corrupt, code: 11, message: "Z_PRIMARYKEY has no row \(number)", sql: nil)
        }
        return statement.integer(at: 0)
    }

    /// Returns permanent references for temporary ones, in their order.
    package func permanent(for references: [ObjectReference]) throws(SQLError) -> ReferenceMap {
        var families = Families(schema.model)
        var temporary = 0
        for reference in references where reference.isTemporary {
            families.count(reference.entity)
            temporary += 1
        }
        guard temporary > 0 else { return [:] }
        families.all.sort { $0.root < $1.root }
        for index in families.all.indices {
            families.all[index].next = try keys(families.all[index].count, of: families.all[index].root)
        }
        var result = ReferenceMap(minimumCapacity: temporary)
        for reference in references where reference.isTemporary {
            result[reference] = ObjectReference(
                entity: reference.entity, key: families.nextKey(reference.entity))
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
        private let model: CompiledModel
        private var last = 0
        private var lastEntity: (index: EntityIndex, root: EntityIndex) = (-1, -1)

        init(_ model: CompiledModel) { self.model = model }

        mutating func count(_ entity: EntityIndex) {
            find(entity)
            all[last].count += 1
        }

        mutating func nextKey(_ entity: EntityIndex) -> Int64 {
            find(entity)
            defer { all[last].next += 1 }
            return all[last].next
        }

        /// Makes the family of an entity the current one, which usually is that of the row before.
        private mutating func find(_ entity: EntityIndex) {
            if entity != lastEntity.index { lastEntity = (entity, model[entity].root) }
            let root = lastEntity.root
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
