package import CoreDataPredicates

/// What SQL databases spell differently. A member exists only because two databases differ in it.
/// Placeholders are always `?`: text holds no literal from outside, so a driver can number them.
package protocol SQLDialect: Sendable {
    /// No database lacks windows, but an offset without a limit is not spelled alike.
    func window(limit: SQLFragment?, offset: SQLFragment?) -> SQLFragment
    /// Functions beyond the standard's have their own names everywhere.
    func call(_ function: ScalarFunction, _ arguments: [SQLFragment]) -> SQLFragment
    /// Beyond the standard's five they have their own names.
    func name(of function: AggregateFunction) -> SQLText
    /// Type names differ.
    func cast(_ operand: SQLFragment, to type: CastType) -> SQLFragment
    /// Equality that treats NULL as a value is an operator of its own everywhere.
    func same(_ left: SQLFragment, _ right: SQLFragment, negated: Bool) -> SQLFragment
    /// Only some planners can be told to leave an index alone.
    func withoutIndex(_ operand: SQLFragment) -> SQLFragment
    /// A select of the elements of a bound JSON array: table functions differ.
    func elements(ofJSON array: SQLFragment) -> SQLFragment
    /// Strings: what is built in differs, and the rest are functions the driver brings along. `constant` is the
    /// needle where it is known.
    func match(
        _ match: StringMatch,
        in haystack: SQLFragment,
        for needle: SQLFragment,
        constant: String?,
        options: ComparisonOptions
    ) -> SQLFragment
    /// A number below, at or above zero.
    func compareStrings(_ left: SQLFragment, _ right: SQLFragment, options: ComparisonOptions) -> SQLFragment
    func name(of collation: SortCollation) -> SQLText
    /// A select of the keys of rows that a full-text index finds: its language is nowhere the same.
    func search(
        _ table: SearchTable, in columns: [SQLIdentifier], for query: FullTextQuery.Node
    ) -> SQLFragment
}
