import CoreDataStore

/// The names of the store's tables and columns at one point of a plan. Phases refer to both by their original
/// names, and look up the present ones here.
///
/// A renaming here also adds its step to the plan, so that names and plan agree.
struct EvolvingStore {
    struct Table {
        fileprivate(set) var name: SQLIdentifier
        fileprivate var columns: [SQLIdentifier: SQLIdentifier]

        /// Returns the present name of a column.
        func callAsFunction(_ column: SQLIdentifier) -> SQLIdentifier { columns[column] ?? column }

        /// The original names of the columns that have been renamed.
        var renamedColumns: [SQLIdentifier] { columns.filter { $0.key != $0.value }.map(\.key) }
    }

    private var tables: [SQLIdentifier: Table] = [:]
    /// The columns that do not become columns of the new model, by table.
    var leftovers: [SQLIdentifier: [SQLIdentifier]] = [:]
    /// The tables whose full-text and spatial indexes are not kept, since columns have changed or the table
    /// is gone.
    private(set) var reindexed: Set<SQLIdentifier> = []
    private let dialect: any SQLDialect

    init(_ catalog: StoreCatalog, _ dialect: any SQLDialect) {
        self.dialect = dialect
        for (table, columns) in catalog.tables {
            let names = Dictionary(uniqueKeysWithValues: columns.keys.map { ($0, $0) })
            tables[table] = Table(name: table, columns: names)
        }
    }

    subscript(_ table: SQLIdentifier) -> Table { tables[table] ?? Table(name: table, columns: [:]) }

    /// Marks a table whose full-text and spatial indexes do not fit any more.
    mutating func reindex(_ table: SQLIdentifier) { reindexed.insert(table) }

    // MARK: New names

    /// Renames tables.
    ///
    /// - Parameters:
    ///   - renames: The new name of each table by its present one.
    ///   - wanted: The names that have to be free in the end.
    ///   - plan: The plan that gets the steps.
    mutating func renameTables(
        _ renames: [SQLIdentifier: SQLIdentifier], wanted: Set<SQLIdentifier>, _ plan: inout MigrationPlan
    ) {
        let steps = RenameOrder.steps(
            renames, occupied: Set(tables.keys), wanted: wanted, longest: dialect.longestName)
        for step in steps {
            rename("rename tables", step.from, to: step.to, &plan)
            guard let table = tables.first(where: { $0.value.name == step.from })?.key else { continue }
            tables[table]?.name = step.to
            reindex(table)
        }
    }

    private func rename(
        _ title: String, _ from: SQLIdentifier, to: SQLIdentifier, _ plan: inout MigrationPlan
    ) {
        let statements = dialect.renames(of: from, to: to)
        for (index, statement) in statements.enumerated() {
            plan.run(
                title, index == 0 ? .renames(from: from, to: to) : .definition, SQLFragment(statement))
        }
    }

    /// Renames columns of a table, in an order that keeps their names distinct, as `renameTables` renames
    /// tables.
    mutating func renameColumns(
        of table: SQLIdentifier, _ renames: [SQLIdentifier: SQLIdentifier], wanted: Set<SQLIdentifier> = [],
        _ plan: inout MigrationPlan
    ) {
        let occupied = Set(self[table].columns.keys)
        let steps = RenameOrder.steps(
            renames, occupied: occupied, wanted: wanted, longest: dialect.longestName)
        for step in steps {
            plan.run(
                "rename columns", .definition,
                SQLFragment("ALTER TABLE \(self[table].name) RENAME COLUMN \(step.from) TO \(step.to)"))
            guard let column = tables[table]?.columns.first(where: { $0.value == step.from })?.key else {
                continue
            }
            tables[table]?.columns[column] = step.to
            reindex(table)
        }
    }

    // MARK: Deferred clean-up

    /// Gives a column the prefix of `DeferredPiece`, by which it is dropped later, unless it has the prefix
    /// already.
    mutating func putAside(_ column: SQLIdentifier, of table: SQLIdentifier, _ plan: inout MigrationPlan) {
        let present = self[table]
        let name = present(column)
        if name.name.hasPrefix(DeferredPiece.prefix) { return }
        let aside = RenameOrder.temporaryName(
            for: name, Set(present.columns.values), longest: dialect.longestName)
        plan.run(
            "put columns aside", .definition,
            SQLFragment("ALTER TABLE \(present.name) RENAME COLUMN \(name) TO \(aside)"))
        tables[table]?.columns[column] = aside
    }

    /// Gives a table the prefix of `DeferredPiece`, by which it is dropped later, unless it has the prefix
    /// already.
    mutating func putAside(_ table: SQLIdentifier, _ plan: inout MigrationPlan) {
        let name = self[table].name
        if name.name.hasPrefix(DeferredPiece.prefix) { return }
        let aside = RenameOrder.temporaryName(
            for: name, Set(tables.values.map(\.name)), longest: dialect.longestName)
        rename("put tables aside", name, to: aside, &plan)
        tables[table]?.name = aside
    }
}
