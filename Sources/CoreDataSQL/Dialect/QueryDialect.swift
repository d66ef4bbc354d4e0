package import CoreDataPredicates

/// The spelling of queries.
package protocol QueryDialect: ColumnDialect {
    // MARK: Rows

    /// Whether rows that are equal in all sort keys come in the order of their primary keys. If not, the
    /// writer adds the primary key to the sort keys.
    var keepsKeyOrder: Bool { get }
    /// Whether distinct rows can be sorted by expressions that are not selected.
    var sortsDistinctRows: Bool { get }
    /// Whether the database can sort strings by the orders that sort descriptors name. If not, memory sorts.
    var hasCollations: Bool { get }
    /// Spells a sort key. Null comes before every value, which is the default of some databases only.
    func order(
        by key: SQLFragment, collation: SortCollation?, isAscending: Bool, isNullable: Bool
    ) -> SQLFragment
    /// Spells limit and offset. Databases differ in an offset without a limit.
    func window(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment
    /// Spells ` FROM … WHERE … ORDER BY …` of rows with given keys, so that each key is one look-up.
    func source(_ rows: KeyedRows) -> SQLFragment
    /// The inner join of a table that is to be read after the tables before it; only some planners can be
    /// told so.
    var joinAfterwards: SQLText { get }

    // MARK: Conditions

    /// Spells equality that treats NULL as a value. Each database has another operator for it.
    func same(_ left: SQLFragment, _ right: SQLFragment, negated: Bool) -> SQLFragment
    /// Spells the beginning of a text that indexes have, so that they are used.
    func beginning(of text: SQLFragment) -> SQLFragment
    /// Spells membership in a bound list. Only some databases have arrays.
    func isMember(_ operand: SQLFragment, of list: SQLFragment) -> SQLFragment
    /// Returns whether the database has this search in strings; otherwise memory searches.
    ///
    /// - Parameter constant: The needle where it is known.
    func canMatch(_ match: StringMatch, constant: String?, options: ComparisonOptions) -> Bool
    /// Spells the search in a string. Built-in functions differ, and a driver may register others.
    ///
    /// - Parameter constant: The needle where it is known.
    func match(
        _ match: StringMatch,
        in haystack: SQLFragment,
        for needle: SQLFragment,
        constant: String?,
        options: ComparisonOptions
    ) -> SQLFragment
    /// Returns whether the database can compare strings by options; otherwise memory compares them.
    func canCompareStrings(options: ComparisonOptions) -> Bool
    /// Spells the comparison of two strings, whose result is a number below, at or above zero.
    func compareStrings(_ left: SQLFragment, _ right: SQLFragment, options: ComparisonOptions) -> SQLFragment
    /// Returns whether a full-text index can answer a query; otherwise memory searches.
    func canSearch(_ query: FullTextQuery.Node) -> Bool
    /// Selects the keys of rows that a full-text index finds. Each database has another language for its
    /// queries.
    func search(
        _ table: SearchTable, in columns: [SQLIdentifier], for query: FullTextQuery.Node
    ) -> SQLFragment
    /// Selects the keys of rows whose values may lie within bounds, by a spatial index.
    func box(_ index: SQLIdentifier, _ bounds: [(column: SQLIdentifier, low: SQLFragment, high: SQLFragment)])
        -> SQLFragment

    // MARK: Expressions

    /// Spells arithmetic. Databases differ in division, shifts and overflow.
    func infix(_ operation: ArithmeticOperator, _ left: SQLOperand, _ right: SQLOperand) -> SQLFragment
    /// Returns whether the database has a function; otherwise memory calls it.
    func canCall(_ function: ScalarFunction) -> Bool
    /// Spells the call of a function. Databases differ in the names of functions that are not standard, and
    /// in operands outside of a function's domain.
    func call(_ function: ScalarFunction, _ arguments: [SQLOperand]) -> SQLFragment
    /// Spells an aggregate of an operand, or the number of rows.
    func aggregate(_ function: AggregateFunction, of operand: SQLOperand?, isDistinct: Bool) -> SQLFragment
    /// Spells a cast. The names of types differ.
    func cast(_ operand: SQLOperand, to type: CastType) -> SQLFragment
    /// Spells an operand that no index is used for; only some planners can be told so.
    func withoutIndex(_ operand: SQLFragment) -> SQLFragment
}
