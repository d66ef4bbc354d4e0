package import CoreDataPredicates

/// The spelling of SQL where databases differ; a member exists only because two databases differ in it.
///
/// Placeholders are always `?`: text holds no literal from outside, so a driver can number them.
package protocol SQLDialect: Sendable {
    /// Spells limit and offset: an offset without a limit differs.
    func window(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment
    /// Spells the call of a function: functions beyond the standard's have their own names everywhere.
    func call(_ function: ScalarFunction, _ arguments: [SQLFragment]) -> SQLFragment
    /// Returns the name of an aggregate function: beyond the standard's five they differ.
    func name(of function: AggregateFunction) -> SQLText
    /// Spells a cast: type names differ.
    func cast(_ operand: SQLFragment, to type: CastType) -> SQLFragment
    /// Spells equality that treats NULL as a value, an operator of its own everywhere.
    func same(_ left: SQLFragment, _ right: SQLFragment, negated: Bool) -> SQLFragment
    /// Spells an operand that no index is used for; only some planners can be told so.
    func withoutIndex(_ operand: SQLFragment) -> SQLFragment
    /// Spells membership in a bound list: only some databases have arrays.
    func isMember(_ operand: SQLFragment, of list: SQLFragment) -> SQLFragment
    /// Spells ` FROM … WHERE … ORDER BY …` of rows with given keys, so that each key is one look-up.
    func source(_ rows: KeyedRows) -> SQLFragment
    /// The inner join of a table that is to be read after the tables before it; only some planners can be
    /// told so.
    var joinAfterwards: SQLText { get }
    /// Spells the search in a string: built-in functions differ, and the driver registers the rest.
    ///
    /// - Parameter constant: The needle where it is known.
    func match(
        _ match: StringMatch,
        in haystack: SQLFragment,
        for needle: SQLFragment,
        constant: String?,
        options: ComparisonOptions
    ) -> SQLFragment
    /// Spells the comparison of two strings, whose result is a number below, at or above zero.
    func compareStrings(_ left: SQLFragment, _ right: SQLFragment, options: ComparisonOptions) -> SQLFragment
    func name(of collation: SortCollation) -> SQLText
    /// Selects the keys of rows that a full-text index finds: its language differs everywhere.
    func search(
        _ table: SearchTable, in columns: [SQLIdentifier], for query: FullTextQuery.Node
    ) -> SQLFragment
}
