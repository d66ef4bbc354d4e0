import CoreDataModelFormat
import CoreDataSQL

/// The rules of a check, one function each. They only read, and do not depend on each other.
package enum CheckRules {
    package typealias Rule = @Sendable (CheckedStore) throws -> [Finding]

    /// All rules, in the order of their findings.
    package static let all: [Rule] = [
        strangeEntityNumbers, impossibleKeys, highestKeys, historyKeys, danglingReferences,
        misdirectedReferences,
        wrongEntityColumns, oneSided, danglingMembers, misdirectedMembers, missingPositions, files, history,
    ]

    /// The rules that take little time.
    package static let quick: [Rule] = [highestKeys, historyKeys]

    // MARK: The database

    @Sendable
    static func strangeEntityNumbers(_ store: CheckedStore) throws -> [Finding] {
        var findings: [Finding] = []
        for root in store.roots {
            let rows = try store.connection.rows(
                """
                SELECT Z_ENT, COUNT(*) FROM \(root.tableName) \
                WHERE Z_ENT NOT IN (\(store.numbers(root.entity).listed())) OR Z_ENT IS NULL \
                GROUP BY Z_ENT
                """)
            for row in rows {
                findings.append(
                    .strangeEntityNumber(
                        table: root.tableName, number: row[0].integer ?? 0, count: row[1].integer ?? 0))
            }
        }
        return findings
    }

    // MARK: Keys

    @Sendable
    static func impossibleKeys(_ store: CheckedStore) throws -> [Finding] {
        try store.roots.compactMap { root in
            let count = try store.connection.number(
                "SELECT COUNT(*) FROM \(root.tableName) WHERE Z_PK < 1")
            return count > 0 ? .impossibleKey(table: root.tableName, count: count) : nil
        }
    }

    /// Compares the keys in use with the recorded highest key of each root, since only roots record one
    /// (sqlite-store §2).
    @Sendable
    static func highestKeys(_ store: CheckedStore) throws -> [Finding] {
        var findings: [Finding] = []
        for root in store.roots {
            let name = store.schema.model[root.entity].name
            findings += try highestKey(
                name, root.number, in: root.tableName, recorded: store.connection.highestKey(of: root),
                store.connection)
        }
        return findings
    }

    /// Compares the keys in use with the highest keys of the history, which records its own (sqlite-store
    /// §12).
    @Sendable
    static func historyKeys(_ store: CheckedStore) throws -> [Finding] {
        // Otherwise sequences have them.
        guard store.connection.dialect.historyForm == .serial else { return [] }
        var findings: [Finding] = []
        for (name, number) in [("CHANGE", 16001), ("TRANSACTION", 16002), ("TRANSACTIONSTRING", 16003)] {
            guard try store.connection.hasTable("A\(name)") else { continue }
            let recorded = try store.connection.number(
                "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(bind: .integer(Int64(number)))")
            findings += try highestKey(
                name, Int64(number), in: SQLIdentifier("A\(name)"), recorded: recorded, store.connection)
        }
        return findings
    }

    private static func highestKey(
        _ entity: String, _ number: Int64, in table: SQLIdentifier, recorded: Int64,
        _ connection: any SQLConnection
    ) throws(SQLError) -> [Finding] {
        let used = try connection.number("SELECT MAX(Z_PK) FROM \(table)")
        guard used > recorded else { return [] }
        return [.lowHighestKey(entity: entity, number: number, recorded: recorded, used: used)]
    }

    // MARK: History

    @Sendable
    static func history(_ store: CheckedStore) throws -> [Finding] {
        guard try store.connection.hasTable("ACHANGE"), try store.connection.hasTable("ATRANSACTION") else {
            return []
        }
        let count = try store.connection.number(
            "SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
        return count > 0 ? [.historyWithoutTransaction(count: count)] : []
    }
}
