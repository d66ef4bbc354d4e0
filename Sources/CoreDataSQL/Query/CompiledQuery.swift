/// A fetch query as SQL, with the plan that decodes its rows.
///
/// It is a class because the faults of an entity share one.
package final class CompiledQuery: Sendable {
    package let select: SQLFragment
    /// The decoding of rows; only for whole rows.
    package let plan: ResultPlan?
    /// The decoding of cells; only for dictionaries.
    package let cells: CellPlan?

    init(select: SQLFragment, plan: ResultPlan?, cells: CellPlan?) {
        self.select = select
        self.plan = plan
        self.cells = cells
    }
}
