package import CoreDataPredicates

/// The dialect of SQLite with the functions and collations of `SQLFunctionNames`.
package struct SQLiteDialect: QueryDialect {
    package init() {}

    package var keepsKeyOrder: Bool { true }
    package var sortsDistinctRows: Bool { true }
    package var hasCollations: Bool { true }

    package var hasTypes: Bool { false }

    package var indexedTextLength: Int? { nil }
    package func beginning(of text: SQLFragment) -> SQLFragment { text }

    package func canMatch(_ match: StringMatch, constant: String?, options: ComparisonOptions) -> Bool {
        true
    }

    package func canCompareStrings(options: ComparisonOptions) -> Bool { true }
    package func canCall(_ function: ScalarFunction) -> Bool { true }

    package func order(
        by key: SQLFragment, collation: SortCollation?, isAscending: Bool, isNullable: Bool
    ) -> SQLFragment {
        var sql = key
        if let collation { sql.append(" COLLATE \(SQLFunctionNames.name(of: collation))") }
        if !isAscending { sql.append(" DESC") }
        return sql
    }

    package func window(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment {
        switch (limit, offset) {
        case (let limit?, let offset?): " LIMIT \(limit) OFFSET \(offset)"
        case (let limit?, nil): " LIMIT \(limit)"
        case (nil, let offset?): " LIMIT -1 OFFSET \(offset)"
        case (nil, nil): ""
        }
    }

    package func infix(
        _ operation: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand
    ) -> SQLFragment {
        "(\(left.sql) \(operation.rawValue) \(right.sql))"
    }

    package func call(_ function: ScalarFunction, _ arguments: [SQLOperand]) -> SQLFragment {
        let arguments = arguments.map(\.sql)
        if function == .onesComplement { return "~\(arguments[0])" }
        if function == .random {
            // The number is never negative, as in memory.
            let number: SQLFragment = "(random() & \(Int.max))"
            return arguments.first.map { "(\(number) % \($0))" } ?? number
        }
        return "\(name(of: function))(\(arguments.joined(separator: ", ")))"
    }

    private func name(of function: ScalarFunction) -> SQLText {
        switch function {
        case .absolute: "abs"
        case .squareRoot: "sqrt"
        case .logarithm: "log10"
        case .naturalLogarithm: "ln"
        case .exponential: "exp"
        case .power: "pow"
        case .ceiling: "ceil"
        case .floor: "floor"
        case .truncate: "trunc"
        case .random: "random"
        case .onesComplement: "~"
        case .length: SQLFunctionNames.length
        case .least: "min"
        case .greatest: "max"
        case .coalesce: "coalesce"
        case .now: SQLFunctionNames.now
        case .lowercase: SQLFunctionNames.lowercase
        case .uppercase: SQLFunctionNames.uppercase
        case .canonical: SQLFunctionNames.canonical
        case .folded: SQLFunctionNames.folded
        case .contents: SQLFunctionNames.contents
        }
    }

    package func aggregate(
        _ function: AggregateFunction, of operand: SQLOperand?, isDistinct: Bool
    ) -> SQLFragment {
        let name = name(of: function)
        guard let operand else { return "\(name)(*)" }
        return isDistinct ? "\(name)(DISTINCT \(operand.sql))" : "\(name)(\(operand.sql))"
    }

    private func name(of function: AggregateFunction) -> SQLText {
        switch function {
        case .count: "COUNT"
        case .sum: "SUM"
        case .minimum: "MIN"
        case .maximum: "MAX"
        case .average: "AVG"
        case .median: SQLFunctionNames.median
        case .mode: SQLFunctionNames.mode
        case .deviation: SQLFunctionNames.deviation
        }
    }

    package func cast(_ operand: SQLOperand, to type: CastType) -> SQLFragment {
        let name: SQLText =
            switch type {
            case .text: "TEXT"
            case .integer: "INTEGER"
            case .double: "REAL"
            }
        return "CAST(\(operand.sql) AS \(name))"
    }

    package func same(_ left: SQLFragment, _ right: SQLFragment, negated: Bool) -> SQLFragment {
        negated ? "\(left) IS NOT \(right)" : "\(left) IS \(right)"
    }

    /// Selects from an R-tree, which rounds bounds outwards.
    package func box(
        _ index: SQLIdentifier, _ bounds: [(column: SQLIdentifier, low: SQLFragment, high: SQLFragment)]
    ) -> SQLFragment {
        let conditions = bounds.map { column, low, high -> SQLFragment in
            """
            \(SpatialIndex.maximum(of: column)) >= \(low) AND \(SpatialIndex.minimum(of: column)) <= \(high)
            """
        }
        return "SELECT Z_PK FROM \(index) WHERE \(conditions.joined(separator: " AND "))"
    }

    package func withoutIndex(_ operand: SQLFragment) -> SQLFragment { "+\(operand)" }

    package func isMember(_ operand: SQLFragment, of list: SQLFragment) -> SQLFragment {
        "\(operand) IN (\(elements(of: list)))"
    }

    private func elements(of list: SQLFragment) -> SQLFragment { "SELECT value FROM json_each(\(list))" }

    /// Spells rows with given keys as a join whose outer loop goes over the keys, so that rows come in their
    /// order.
    package func source(_ rows: KeyedRows) -> SQLFragment {
        let keys: SQLFragment =
            switch rows.keys {
            case .one(let key): "SELECT \(key) AS value"
            case .list(let list): elements(of: list)
            }
        let sql: SQLFragment = """
             FROM (\(keys)) k \(joinAfterwards) \(rows.table) \(rows.alias) ON \(rows.key) = k.value\(rows.joins)
            """
        if case .by(let order) = rows.order { return sql + " ORDER BY \(order)" }
        return sql
    }

    package var joinAfterwards: SQLText { "CROSS JOIN" }

    package func match(
        _ match: StringMatch,
        in haystack: SQLFragment,
        for needle: SQLFragment,
        constant: String?,
        options: ComparisonOptions
    ) -> SQLFragment {
        if options.isSubset(of: .normalized) {
            switch match {
            case .equal: return "\(haystack) = \(needle)"
            case .contains:
                return exceptEmpty(needle, constant: constant, "instr(\(haystack), \(needle)) > 0")
            case .beginsWith:
                if let range = prefixRange(of: haystack, needle, constant: constant) { return range }
            // SQLite's own functions for these end a text at its first NUL.
            case .endsWith, .like, .matches: break
            }
        }
        let search = SQLFunctionNames.stringSearch
        return "\(search)(\(match.rawValue), \(haystack), \(needle), \(Int(options.rawValue)))"
    }

    package func compareStrings(
        _ left: SQLFragment,
        _ right: SQLFragment,
        options: ComparisonOptions
    ) -> SQLFragment {
        "\(SQLFunctionNames.stringCompare)(\(left), \(right), \(Int(options.rawValue)))"
    }
}
