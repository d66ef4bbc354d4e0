import CoreDataModelFormat
import CoreDataStore
import Foundation

/// The indexes, triggers, highest keys and history masks of a store, which a migration has to adapt.
package struct MigrationCatalog: Sendable {
    package struct Definition: Sendable, Equatable {
        package let name: SQLIdentifier
        package let table: SQLIdentifier
        package let sql: SQLText
        /// Whether it is complete. What an index lacks that was being made when its program died, the database
        /// does not know.
        var isValid = true
    }

    package private(set) var indexes: [Definition] = []
    package private(set) var triggers: [Definition] = []
    /// The highest key handed out, by the table of an inheritance tree.
    package private(set) var highestKeys: [SQLIdentifier: Int64] = [:]
    /// A mask of the history, which tells the properties that an update changed.
    struct HistoryMask: Sendable, Hashable {
        let bytes: Data
        /// Whether the transaction has no bundle identifier.
        let isAnonymous: Bool
    }

    /// The masks, by entity number.
    private(set) var historyMasks: [Int64: Set<HistoryMask>] = [:]

    package init() {}

    package init(
        reading connection: any SQLConnection, _ schema: StoreSchema, _ catalog: StoreCatalog,
        _ dialect: any SQLDialect
    ) throws(SQLError) {
        (indexes, triggers) = try dialect.definitions(on: connection)
        for table in schema.entities.compactMap({ $0 }) where schema.model[table.entity].root == table.entity
        {
            let keys: [SQLFragment] = [
                "COALESCE((SELECT MAX(Z_PK) FROM \(table.tableName)), 0)",
                dialect.handedOutKey(of: table),
            ]
            let highest = dialect.call(.greatest, keys.map { SQLOperand($0) })
            highestKeys[table.tableName] = Int64(try connection.count("SELECT \(highest)"))
        }
        guard catalog.hasHistory else { return }
        let isAnonymous = HistorySchema.isAnonymous(hasStrings: catalog.hasHistoryStrings)
        let masks: SQLFragment = """
            SELECT DISTINCT c.ZENTITY, c.ZCOLUMNS, \(isAnonymous) FROM ACHANGE c \
            JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID WHERE c.ZCOLUMNS IS NOT NULL
            """
        try connection.forEachRow(of: masks) { row throws(SQLError) in
            guard case .blob(let bytes) = row.value(at: 1) else { return }
            let mask = HistoryMask(bytes: bytes, isAnonymous: row.integer(at: 2) != 0)
            historyMasks[row.integer(at: 0), default: []].insert(mask)
        }
    }
}

extension MigrationCatalog.Definition {
    /// Returns whether the definition names a column.
    func names(_ column: SQLIdentifier) -> Bool { SQLWords(sql).contains(column) }
}
