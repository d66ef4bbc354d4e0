package import CoreDataPredicates
import CoreDataValues

/// The spelling of queries for PostgreSQL, 13 or later.
///
/// Its columns have types, its texts are `COLLATE "C"`, and no driver registers functions: searches that
/// ignore case or diacritics, regular expressions, and patterns that are not constant are left to memory. For
/// operands outside of a function's domain PostgreSQL fails and SQLite yields null; here such operands yield
/// null. One difference is left: sums, products and quotients of doubles that are out of range are errors.
package struct PostgreSQLDialect: QueryDialect {
    package init() {}

    // MARK: Rows

    package var keepsKeyOrder: Bool { false }
    package var sortsDistinctRows: Bool { false }
    /// Its collations sort some letters otherwise than Foundation, which decides in the other stores.
    package var hasCollations: Bool { false }
    package var hasTypes: Bool { true }

    /// Spells a sort key. A key that is never null gets neither NULLS FIRST nor NULLS LAST, so that an index
    /// can provide the order.
    package func order(
        by key: SQLFragment, collation: SortCollation?, isAscending: Bool, isNullable: Bool
    ) -> SQLFragment {
        var sql = key
        precondition(collation == nil, "memory sorts by a collation")
        if !isAscending { sql.append(" DESC") }
        if isNullable { sql.append(isAscending ? " NULLS FIRST" : " NULLS LAST") }
        return sql
    }

    package func window(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment {
        let limit: SQLFragment = limit.map { " LIMIT \($0)" } ?? ""
        return offset.map { "\(limit) OFFSET \($0)" } ?? limit
    }

    package func source(_ rows: KeyedRows) -> SQLFragment {
        switch (rows.keys, rows.order) {
        case (.list(let list), .listed):
            return """
                 FROM unnest(\(list)) WITH ORDINALITY k (value, place) \
                JOIN \(rows.table) \(rows.alias) ON \(rows.key) = k.value\(rows.joins) ORDER BY k.place
                """
        case (.list(let list), _):
            return found(rows, isMember(SQLFragment(rows.key), of: list))
        case (.one(let key), _):
            return found(rows, "\(rows.key) = \(key)")
        }
    }

    private func found(_ rows: KeyedRows, _ condition: SQLFragment) -> SQLFragment {
        let sql: SQLFragment = " FROM \(rows.table) \(rows.alias)\(rows.joins) WHERE \(condition)"
        return switch rows.order {
        case .any, .listed: sql
        case .grouped: "\(sql) ORDER BY \(rows.key)"
        case .by(let order): "\(sql) ORDER BY \(order)"
        }
    }

    package var joinAfterwards: SQLText { "JOIN" }

    // MARK: Conditions

    package func same(_ left: SQLFragment, _ right: SQLFragment, negated: Bool) -> SQLFragment {
        negated ? "\(left) IS DISTINCT FROM \(right)" : "\(left) IS NOT DISTINCT FROM \(right)"
    }

    package func isMember(_ operand: SQLFragment, of list: SQLFragment) -> SQLFragment {
        "\(operand) = ANY (\(list))"
    }

    package func canMatch(_ match: StringMatch, constant: String?, options: ComparisonOptions) -> Bool {
        guard options.isSubset(of: .normalized) else { return false }
        return switch match {
        case .equal, .beginsWith, .endsWith, .contains: true
        case .like: constant != nil
        case .matches: false
        }
    }

    package func match(
        _ match: StringMatch,
        in haystack: SQLFragment,
        for needle: SQLFragment,
        constant: String?,
        options: ComparisonOptions
    ) -> SQLFragment {
        let condition: SQLFragment
        switch match {
        case .equal: return "\(haystack) = \(needle)"
        case .contains: condition = "position(\(needle) IN \(haystack)) > 0"
        case .beginsWith:
            if let range = prefixRange(of: haystack, needle, constant: constant) { return range }
            condition = "starts_with(\(haystack), \(needle))"
        case .endsWith: condition = "right(\(haystack), length(\(needle))) = \(needle)"
        case .like, .matches:
            return "\(haystack) LIKE \(bind: .text(Self.pattern(constant ?? "")))"
        }
        return exceptEmpty(needle, constant: constant, condition)
    }

    /// Returns a pattern of Foundation's LIKE as a pattern of SQL's LIKE.
    private static func pattern(_ pattern: String) -> String {
        var result = ""
        var rest = pattern.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": result += "%"
            case "?": result += "_"
            case "\\": result += "\\" + (rest.popFirst().map(String.init) ?? "\\")
            case "%", "_": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    package func canCompareStrings(options: ComparisonOptions) -> Bool { false }

    package func compareStrings(
        _ left: SQLFragment, _ right: SQLFragment, options: ComparisonOptions
    ) -> SQLFragment {
        preconditionFailure("strings are compared by options in memory")
    }

    package func box(
        _ index: SQLIdentifier, _ bounds: [(column: SQLIdentifier, low: SQLFragment, high: SQLFragment)]
    ) -> SQLFragment {
        preconditionFailure("the schema has no spatial index")
    }
}
