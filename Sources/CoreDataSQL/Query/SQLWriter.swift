import CoreDataPredicates

/// The writer of bound trees as SQL in a dialect.
struct SQLWriter {
    let dialect: any QueryDialect

    // MARK: Sources

    /// Writes ` FROM … WHERE …`.
    func write(_ source: BoundSource) -> SQLFragment {
        var sql: SQLFragment = " FROM \(write(source.table)) \(name(of: source.alias))"
        for join in source.joins {
            sql.append(join.kind == .inner ? " JOIN " : " LEFT OUTER JOIN ")
            sql.append(write(join.table))
            sql.append(" t\(join.alias) ON \(write(join.left)) = t\(join.alias).\(join.column)")
            guard !join.entities.isEmpty else { continue }
            let numbers = join.entities.map { "\(bind: .integer($0))" as SQLFragment }
            sql.append(" AND t\(join.alias).Z_ENT IN (\(numbers.joined(separator: ", ")))")
        }
        sql.append(conditions(of: source))
        return sql
    }

    /// Returns ` WHERE …`, or nothing if there are no conditions.
    func conditions(of source: BoundSource) -> SQLFragment {
        let parts = source.conditions.flatMap { condition in
            if case .all(let inner) = condition { inner } else { [condition] }
        }
        return parts.isEmpty ? "" : " WHERE \(chain(parts, " AND "))"
    }

    /// Writes a long chain as a chain of shorter ones: a database parses a chain into a tree as deep as the
    /// chain is long, and refuses deep trees.
    private func chain(_ conditions: [BoundCondition], _ connective: SQLText) -> SQLFragment {
        var parts = conditions.map(write)
        while parts.count > Self.longestChain {
            parts = stride(from: 0, to: parts.count, by: Self.longestChain).map { start in
                let end = min(start + Self.longestChain, parts.count)
                return "(\(parts[start..<end].joined(separator: connective)))"
            }
        }
        return parts.joined(separator: connective)
    }

    private static let longestChain = 100

    private func write(_ table: BoundTable) -> SQLFragment {
        switch table {
        case .named(let name): "\(name)"
        case .bothDirections(let table, let owner, let member):
            """
            (SELECT \(owner), \(member) FROM \(table) \
            UNION SELECT \(member), \(owner) FROM \(table))
            """
        }
    }

    func write(_ column: BoundColumn) -> SQLText { "\(name(of: column.alias)).\(column.name)" }

    /// Returns the alias of a table as SQL.
    ///
    /// Most columns are of the first table, whose alias is a constant because formatting a number takes
    /// longer than all the rest.
    private func name(of alias: Int) -> SQLText { alias == 0 ? "t0" : "t\(alias)" }

    // MARK: Conditions

    func write(_ condition: BoundCondition) -> SQLFragment {
        switch condition {
        case .constant(let value): value ? "1 = 1" : "1 = 0"
        case .all(let conditions): "(\(chain(conditions, " AND ")))"
        case .any(let conditions): "(\(chain(conditions, " OR ")))"
        case .not(.exists(let source)): "NOT EXISTS (SELECT 1\(write(source)))"
        case .not(let condition): "NOT (\(write(condition)))"
        case .isNotTrue(let condition): "(\(write(condition))) IS NOT TRUE"
        case .exists(let source): "EXISTS (SELECT 1\(write(source)))"
        case .isNull(let value): "\(write(value)) IS NULL"
        case .isNotNull(let value): "\(write(value)) IS NOT NULL"
        case .compare(let left, .same, let right):
            dialect.same(write(left), write(right), negated: false)
        case .compare(let left, .notSame, let right):
            dialect.same(write(left), write(right), negated: true)
        case .compare(let left, .equal, let right) where isLong(right, for: left):
            "(\(beginning(left)) = \(beginning(right)) AND \(write(left)) = \(write(right)))"
        case .compare(let left, let relation, let right):
            "\(write(left, besides: right)) \(relation.rawValue) \(write(right, besides: left))"
        case .between(let value, let low, let high):
            "\(write(value, besides: low, high)) BETWEEN \(write(low)) AND \(write(high))"
        case .oneOf(let value, let values):
            "\(write(value, besides: values)) IN (\(values.map { write($0) }.joined(separator: ", ")))"
        case .oneOfList(let value, let list): member(value, of: list)
        case .oneOfQuery(let value, let query, let selection):
            "\(write(value)) IN (\(write(query, selecting: write(selection))))"
        case .search(let key, let table, let columns, let query):
            "\(write(key)) IN (\(dialect.search(table, in: columns, for: query)))"
        case .inBox(let key, let tree, let bounds):
            "\(write(key)) IN (\(dialect.box(tree, bounds.map { ($0.column, write($0.low), write($0.high)) })))"
        case .match(let kind, let haystack, let needle, let options):
            dialect.match(
                kind,
                in: [.equal, .beginsWith].contains(kind) ? write(haystack, besides: needle) : write(haystack),
                for: write(needle), constant: needle.constantText, options: options
            )
        case .collated(let left, let relation, let right, let options):
            "\(dialect.compareStrings(write(left), write(right), options: options)) \(relation.rawValue) 0"
        }
    }

    // MARK: Expressions

    func write(_ expression: BoundExpression) -> SQLFragment {
        switch expression.form {
        case .column(let column): SQLFragment(write(column))
        case .value(let value): "\(bind: value, as: expression.type)"
        case .parameter(let constant):
            SQLFragment(SQLParameter(position: 0, constant: constant, type: expression.type))
        case .infix(let operation, let left, let right):
            dialect.infix(operation, operand(left), operand(right))
        case .call(let function, let arguments): dialect.call(function, arguments.map(operand))
        case .cast(let operand, let type): dialect.cast(self.operand(operand), to: type)
        case .withoutIndex(let operand): dialect.withoutIndex(write(operand))
        case .conditional(let condition, let first, let second):
            "CASE WHEN \(write(condition)) THEN \(write(first)) ELSE \(write(second)) END"
        case .rowCount(let query): "(\(count(query)))"
        case .element(let value, let source, let choice):
            """
            (SELECT \(write(value))\(write(source)) ORDER BY \(order(choice))\(window(choice)))
            """
        case .aggregate(let function, let operand, let isDistinct):
            orZero(function, write(function, operand, isDistinct))
        case .subselect(let function, let operand, let isDistinct, let source):
            orZero(function, "(SELECT \(write(function, operand, isDistinct))\(write(source)))")
        }
    }

    private func write(
        _ function: AggregateFunction,
        _ operand: BoundExpression?,
        _ isDistinct: Bool
    ) -> SQLFragment {
        dialect.aggregate(function, of: operand.map(self.operand), isDistinct: isDistinct)
    }

    private func operand(_ expression: BoundExpression) -> SQLOperand {
        SQLOperand(
            write(expression), dialect.hasTypes ? expression.computedType : expression.typeOfValue)
    }

    private func order(_ choice: ElementChoice) -> SQLFragment {
        dialect.order(
            by: SQLFragment(write(choice.order)), collation: nil, isAscending: !choice.isFromEnd,
            isNullable: true)
    }

    private func window(_ choice: ElementChoice) -> SQLFragment {
        dialect.window(
            limit: "1", offset: choice.offset > 0 ? "\(bind: .integer(Int64(choice.offset)))" : nil)
    }

    private func orZero(_ function: AggregateFunction, _ value: SQLFragment) -> SQLFragment {
        function == .sum ? dialect.call(.coalesce, [SQLOperand(value), SQLOperand("0")]) : value
    }
}
