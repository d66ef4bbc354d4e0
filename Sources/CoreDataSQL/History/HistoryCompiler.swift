import CoreDataModelFormat
import CoreDataPredicates
package import CoreDataStore
import CoreDataValues

/// The compiler of history queries into SQL: one statement finds the keys of matching rows, others read
/// transactions and changes by key (sqlite-store §12).
package struct HistoryCompiler: Sendable {
    private let compiler: SelectCompiler
    private let rewriter: HistoryRewriter
    /// Whether names are in a separate table.
    private let hasStrings: Bool
    let tombstoneCount: Int

    package init(
        _ schema: StoreSchema, dialect: any QueryDialect, hasStrings: Bool, tombstoneCount: Int
    ) {
        self.hasStrings = hasStrings
        self.tombstoneCount = tombstoneCount
        rewriter = HistoryRewriter(schema, hasStrings: hasStrings)
        compiler = SelectCompiler(
            schema: HistoryModel.schema, layouts: RowLayouts(HistoryModel.compiled), dialect: dialect)
    }

    // MARK: Matching

    /// Selects the keys of the transactions or changes that match, in order, or their number.
    ///
    /// - Parameter unseen: The numbers of the transactions after the start, where numbers do not tell.
    package func matches(
        _ query: HistoryQuery, isCount: Bool = false, unseen: [Int64]? = nil
    ) throws(StoreError) -> SQLFragment {
        let filter = query.filter ?? HistoryFilter(.transactions)
        let conditions = [query.start.map { condition(after: $0, filter.subject, unseen) }, filter.predicate]
            .compactMap { $0 }
        let number = filter.subject == .transactions ? "transactionNumber" : "changeID"
        let fetch = FetchQuery(
            entity: HistoryModel.index(filter.subject),
            predicate: conditions.isEmpty ? nil : rewriter.rewrite(.compound(.and, conditions)),
            sort: filter.sort.isEmpty ? [SortKey(keys: [number])] : filter.sort.map(rewriter.rewrite),
            limit: filter.limit,
            offset: filter.offset,
            shape: isCount ? .count : .references)
        return try compiler.compile(fetch).select
    }

    private func condition(
        after position: HistoryPosition,
        _ subject: HistoryFilter.Subject,
        _ unseen: [Int64]?
    ) -> PredicateNode {
        let key: ExpressionNode
        let value: AttributeValue
        switch position {
        case .mark(let mark):
            if let unseen {
                let numbers = unseen.map { ExpressionValue.value(.integer($0)) }
                return .comparison(
                    ComparisonNode(
                        .keyPath("token"), .in, .constant(.collection(numbers, isOrdered: false))))
            }
            (key, value) = (.keyPath("token"), .integer(mark.number))
        case .date(let date):
            key = .keyPath(subject == .transactions ? "timestamp" : "transaction.timestamp")
            value = .date(date)
        }
        return .comparison(ComparisonNode(key, .greaterThan, .constant(.value(value))))
    }

    /// Selects the numbers of the first transaction kept and of the last ever made.
    func extent() -> SQLFragment {
        let last: [SQLFragment] = [
            "COALESCE((SELECT MAX(Z_PK) FROM ATRANSACTION), 0)",
            """
            COALESCE((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(HistorySchema.transactionNumber)), 0)
            """,
        ]
        let greatest = compiler.dialect.call(.greatest, last.map { SQLOperand($0) })
        return "SELECT (SELECT MIN(Z_PK) FROM ATRANSACTION), \(greatest)"
    }

    // MARK: Reading by key

    /// Selects transactions in the order of their keys: number, time, author, bundle, context, process.
    func transactions(_ keys: [Int64]) -> SQLFragment {
        let columns: [SQLText] = ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"]
        guard hasStrings else {
            let names = columns.map { ", t.Z\($0)" as SQLText }.joined()
            return "SELECT t.Z_PK, t.ZTIMESTAMP\(names)\(source(HistorySchema.transactions, keys))"
        }
        let names = columns.indices.map { ", COALESCE(s\($0).ZNAME, t.Z\(columns[$0]))" as SQLText }.joined()
        let joins = columns.indices.map {
            " LEFT JOIN ATRANSACTIONSTRING s\($0) ON s\($0).Z_PK = t.Z\(columns[$0])TS" as SQLText
        }.joined()
        return "SELECT t.Z_PK, t.ZTIMESTAMP\(names)\(source(HistorySchema.transactions, keys, joins))"
    }

    /// Selects changes in the order of their keys.
    func changes(_ keys: [Int64]) -> SQLFragment {
        "SELECT \(changeColumns)\(source(HistorySchema.changes, keys))"
    }

    /// Selects all changes of transactions, oldest first.
    func changes(ofTransactions keys: [Int64]) -> SQLFragment {
        let changes = KeyedRows(
            table: HistorySchema.changes, alias: "t", column: SQLIdentifier("ZTRANSACTIONID"),
            keys: .list("\(bind: .integers(keys))"), order: .by("t.Z_PK"))
        return "SELECT \(changeColumns)\(compiler.dialect.source(changes))"
    }

    private var changeColumns: SQLText {
        let columns: [SQLText] = [
            "Z_PK", "ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS",
        ]
        let tombstones = (0..<tombstoneCount).map { "ZTOMBSTONE\($0)" as SQLText }
        return (columns + tombstones).map { "t.\($0)" as SQLText }.joined(separator: ", ")
    }

    /// Spells the rows `t` of a table in the order of their keys.
    private func source(_ table: SQLIdentifier, _ keys: [Int64], _ joins: SQLText = "") -> SQLFragment {
        compiler.dialect.source(
            KeyedRows(
                table: table, alias: "t", column: NameMangling.key, keys: .list("\(bind: .integers(keys))"),
                joins: joins, order: .listed))
    }
}
