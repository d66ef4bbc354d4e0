import CoreDataModelFormat
import CoreDataValues

/// The history tables of a store (sqlite-store §12).
package struct HistorySchema {
    package static let changeNumber: Int64 = 16001
    package static let transactionNumber: Int64 = 16002
    package static let stringNumber: Int64 = 16003

    package static let changes = SQLIdentifier("ACHANGE")
    static let transactions = SQLIdentifier("ATRANSACTION")
    static let strings = SQLIdentifier("ATRANSACTIONSTRING")

    private let schema: StoreSchema

    package init(_ schema: StoreSchema) {
        self.schema = schema
    }

    /// The greatest number of attributes that an entity preserves: the number of tombstone columns.
    package var tombstoneCount: Int {
        schema.entities.compactMap { $0 }.map { table in
            schema.model[table.entity].slots.count { $0.attribute?.preservesValueOnDeletion ?? false }
        }.max() ?? 0
    }

    // MARK: Transactions without a bundle identifier

    /// Returns the condition that a transaction `t` has no bundle identifier, as those of this framework's
    /// former releases (see `HistoryColumns`).
    static func isAnonymous(hasStrings: Bool) -> SQLText {
        (hasStrings ? "t.ZBUNDLEIDTS IS NULL AND " : "") + "t.ZBUNDLEID IS NULL"
    }

    /// Returns the statements that give such transactions an empty identifier, as the writer does, once the
    /// masks of their changes are in the present form.
    static func nameAnonymous(
        hasStrings: Bool
    ) -> [(touches: MigrationPlan.Touch, statement: SQLFragment)] {
        let transactions = SQLIdentifier("ATRANSACTION")
        let keys = SQLIdentifier("Z_PRIMARYKEY")
        let isAnonymous = isAnonymous(hasStrings: hasStrings)
        guard hasStrings else {
            return [
                (.scans(transactions), "UPDATE ATRANSACTION AS t SET ZBUNDLEID = '' WHERE \(isAnonymous)")
            ]
        }
        let strings: SQLText =
            "Z_ENT = \(stringNumber) AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING WHERE ZNAME = '')"
        return [
            (.scans(keys), "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE \(strings)"),
            (
                .copies(from: keys, to: SQLIdentifier("ATRANSACTIONSTRING")),
                """
                INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) \
                SELECT Z_MAX, Z_ENT, '' FROM Z_PRIMARYKEY WHERE \(strings)
                """
            ),
            (
                .scans(transactions),
                """
                UPDATE ATRANSACTION AS t SET ZBUNDLEIDTS = \
                (SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = '') WHERE \(isAnonymous)
                """
            ),
        ]
    }

    // MARK: Tables

    package func statements(in dialect: any SchemaDialect) -> [SQLFragment] {
        if dialect.historyForm == .concurrent {
            return ConcurrentHistory.sequences + tables(dialect) + ConcurrentHistory.ownership
                + indexes(dialect) + Self.entities(2)
        }
        return tables(dialect) + indexes(dialect) + Self.entities(3)
    }

    private static let entities: [(number: Int64, name: String, table: SQLIdentifier)] = [
        (changeNumber, "CHANGE", changes), (transactionNumber, "TRANSACTION", transactions),
        (stringNumber, "TRANSACTIONSTRING", strings),
    ]

    /// Returns the statement that notes a table and its highest key in Z_PRIMARYKEY; nil for the number of no
    /// table of a history.
    static func entityNote(_ number: Int64) -> SQLFragment? {
        entities.first { $0.number == number }.map { number, name, table in
            """
            INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
            SELECT \(bind: .integer(number)), \(bind: .text(name)), 0, COALESCE(MAX(Z_PK), 0) FROM \(table)
            """
        }
    }

    private static func entities(_ count: Int) -> [SQLFragment] {
        entities.prefix(count).map { number, name, _ in
            """
            INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
            VALUES (\(bind: .integer(number)), \(bind: .text(name)), 0, 0)
            """
        }
    }

    private func tables(_ dialect: any SchemaDialect) -> [SQLFragment] {
        func table(_ name: SQLIdentifier, _ columns: [(names: [String], type: ColumnType)]) -> SQLFragment {
            let isConcurrent = dialect.historyForm == .concurrent
            let key = isConcurrent ? ConcurrentHistory.key(of: name) : dialect.type(of: .primaryKey)
            let system: [(names: [String], type: ColumnType)] = [(["Z_ENT", "Z_OPT"], .number)]
            var list: [SQLText] = ["Z_PK \(key)"]
            for (names, type) in system + columns {
                list += names.map { "\(SQLIdentifier($0)) \(dialect.type(of: type))" as SQLText }
            }
            if isConcurrent, name == Self.transactions { list += ConcurrentHistory.columns }
            return SQLFragment("CREATE TABLE \(name) ( \(list.joined(separator: ", ")) )")
        }
        let tombstones = (0..<tombstoneCount).map { "ZTOMBSTONE\($0)" }
        let changes = table(
            Self.changes,
            [
                (["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"], .number),
                (["ZCOLUMNS"] + tombstones, .attribute(.binary)),
            ])
        let names: (names: [String], type: ColumnType) = (
            ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"], .attribute(.string)
        )
        if dialect.historyForm == .concurrent { return [changes, table(Self.transactions, [names])] }
        return [
            changes,
            table(
                Self.transactions,
                [
                    (["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"], .number),
                    (["ZTIMESTAMP"], .attribute(.double)), names, (["ZQUERYGEN"], .attribute(.binary)),
                ]),
            table(Self.strings, [(["ZNAME"], .attribute(.string))]),
        ]
    }

    private func indexes(_ dialect: any SchemaDialect) -> [SQLFragment] {
        func indexed(_ column: String) -> SQLText {
            dialect.indexed([IndexedColumn(SQLIdentifier(column))], isUnique: false)
        }
        let changes: SQLFragment =
            "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)"
        let common: [SQLFragment] = [
            "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (\(indexed("ZAUTHOR")))",
            """
            CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION \
            (\(indexed("ZTIMESTAMP")))
            """,
        ]
        if dialect.historyForm == .concurrent { return [changes] + common + [ConcurrentHistory.index] }
        return [
            changes,
            "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
            "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
            "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
            "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        ] + common + [
            """
            CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING \
            (\(indexed("ZNAME")))
            """
        ]
    }
}
