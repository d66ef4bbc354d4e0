import CoreDataPredicates

/// A truth value of SQL: true, false or, where NULL meets a comparison, unknown.
indirect enum BoundCondition {
    case constant(Bool)
    case all([BoundCondition])
    case any([BoundCondition])
    case not(BoundCondition)
    case compare(BoundExpression, SQLComparison, BoundExpression)
    case isNull(BoundExpression)
    case isNotNull(BoundExpression)
    case between(BoundExpression, BoundExpression, BoundExpression)
    case oneOf(BoundExpression, [BoundExpression])
    /// Membership in a list that is bound as one value, so that lists of all lengths share a statement.
    case oneOfList(BoundExpression, SQLValue)
    /// Membership in the values that a nested query finds.
    case oneOfQuery(BoundExpression, BoundQuery, selecting: BoundExpression)
    case exists(BoundSource)
    /// True where the condition is false or unknown.
    case isNotTrue(BoundCondition)
    /// Whether the row with this key has words in some columns of its full-text index.
    case search(BoundColumn, SearchTable, columns: [SQLIdentifier], FullTextQuery.Node)
    /// Whether the row with this key may lie within bounds. The answer is an R-tree's, whose numbers are
    /// rounded, so some rows outside pass, too.
    case inBox(BoundColumn, tree: SQLIdentifier, [BoxBound])
    case match(StringMatch, BoundExpression, BoundExpression, ComparisonOptions)
    /// A comparison of two strings by options, as `left op right`.
    case collated(BoundExpression, SQLComparison, BoundExpression, ComparisonOptions)

    /// Joins conditions by AND, without needless nesting.
    static func and(_ conditions: [BoundCondition]) -> BoundCondition {
        flattened(conditions) {
            if case .all(let inner) = $0 { inner } else { nil }
        } wrap: {
            .all(joiningBoxes($0))
        }
    }

    /// Joins the bounds of one row in one R-tree, so that they become a single look-up.
    private static func joiningBoxes(_ conditions: [BoundCondition]) -> [BoundCondition] {
        var result: [BoundCondition] = []
        for condition in conditions {
            if case .inBox(let key, let tree, let bounds) = condition,
                let index = result.firstIndex(where: { $0.isBox(of: key, in: tree) }),
                case .inBox(_, _, let others) = result[index]
            {
                result[index] = .inBox(key, tree: tree, others + bounds)
            } else {
                result.append(condition)
            }
        }
        return result
    }

    private func isBox(of row: BoundColumn, in table: SQLIdentifier) -> Bool {
        if case .inBox(let key, let tree, _) = self { key == row && tree == table } else { false }
    }

    static func or(_ conditions: [BoundCondition]) -> BoundCondition {
        flattened(conditions) {
            if case .any(let inner) = $0 { inner } else { nil }
        } wrap: {
            let joined = joiningEqualities($0)
            return joined.count == 1 ? joined[0] : .any(joined)
        }
    }

    /// The smallest number of equalities of one column, joined by OR, that become a test for membership in a
    /// list.
    private static let fewestForList = 17

    private static func joiningEqualities(_ conditions: [BoundCondition]) -> [BoundCondition] {
        if conditions.count < fewestForList { return conditions }
        var values: [BoundColumn: [BoundExpression]] = [:]
        for condition in conditions {
            if let (column, _, value) = condition.listable { values[column, default: []].append(value) }
        }
        var lists = values.filter { $1.count >= fewestForList }.compactMapValues(SQLValue.init(listOf:))
        if lists.isEmpty { return conditions }
        let joined = Set(lists.keys)
        return conditions.compactMap { condition in
            guard let (column, side, _) = condition.listable, joined.contains(column) else {
                return condition
            }
            return lists.removeValue(forKey: column).map { .oneOfList(side, $0) }
        }
    }

    /// The column and the constant, if the condition is their equality.
    private var listable: (BoundColumn, side: BoundExpression, value: BoundExpression)? {
        guard case .compare(let left, .equal, let right) = self, case .column(let column) = left.form,
            case .value = right.form
        else { return nil }
        return (column, left, right)
    }

    private static func flattened(
        _ conditions: [BoundCondition],
        inner: (BoundCondition) -> [BoundCondition]?,
        wrap: ([BoundCondition]) -> BoundCondition
    ) -> BoundCondition {
        let flat = conditions.flatMap { inner($0) ?? [$0] }
        return flat.count == 1 ? flat[0] : wrap(flat)
    }
}

/// The bounds of one column of an R-tree.
struct BoxBound {
    let column: SQLIdentifier
    let low: BoundExpression
    let high: BoundExpression
}

enum SQLComparison: SQLText {
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// Equal, or both NULL.
    case same
    case notSame

    /// The operator for exchanged sides.
    var mirrored: SQLComparison {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual, .same, .notSame: self
        }
    }
}

/// The kind of a search in a string.
///
/// Raw values are the first argument of `SQLFunctionNames.stringSearch`.
package enum StringMatch: Int, Sendable, Hashable {
    case equal = 0
    case beginsWith = 1
    case endsWith = 2
    case contains = 3
    /// A pattern in which `*` and `?` are wildcards and `\` escapes them.
    case like = 4
    /// A regular expression for the whole string.
    case matches = 5
}

/// The named orders of strings that a connection provides.
package enum SortCollation: Sendable, Hashable {
    case caseInsensitive, localized, localizedCaseInsensitive, localizedStandard
}
