package import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues
package import Foundation

/// The planning of a migration in place: `two schemas -> statements`.
///
/// Pure.
///
/// Tables, columns and join tables that continue are renamed, which costs nothing; new ones are added and
/// filled; old ones are dropped in the end, when nothing needs them any more. Rows are written only where a
/// value changes: a default, another type, another entity number, another place in the hierarchy. A change
/// that SQL cannot express throws `inexpressible`: such a store is migrated by copying it.
package struct MigrationPlanner {
    let evolution: ModelEvolution
    let source: StoreSchema
    let target: NewStoreSchema
    let catalog: StoreCatalog
    let details: MigrationCatalog
    /// The transformed defaults, by entity and key path.
    let transformedDefaults: [String: Data]
    /// Whether unused columns and tables are only put aside, to be dropped later.
    let isDeferred: Bool
    let moves: EntityMoves
    let finder: TargetColumnFinder
    var plan = MigrationPlan()
    /// The tables of the store by their first name, with their present names and those of their columns.
    var tables: [SQLIdentifier: EvolvingTable] = [:]
    /// The columns that are columns of the store as they are, by table of the new model.
    var carried: [SQLIdentifier: Set<SQLIdentifier>] = [:]
    /// The columns that nothing of the new model is made of, by table of the store.
    var leftovers: [SQLIdentifier: [SQLIdentifier]] = [:]
    /// The tables whose rows are indexed again, because their columns have changed.
    var rebuilt: Set<SQLIdentifier> = []
    /// The join tables of the store that continue.
    var keptJoins: Set<SQLIdentifier> = []

    struct EvolvingTable {
        var name: SQLIdentifier
        var columns: [SQLIdentifier: SQLIdentifier]

        func callAsFunction(_ column: SQLIdentifier) -> SQLIdentifier { columns[column] ?? column }
    }

    package init(
        _ evolution: ModelEvolution, from source: StoreSchema, to target: NewStoreSchema,
        catalog: StoreCatalog, details: MigrationCatalog, transformedDefaults: [String: Data] = [:],
        isDeferred: Bool = false
    ) {
        self.evolution = evolution
        self.source = source
        self.target = target
        self.catalog = catalog
        self.details = details
        self.transformedDefaults = transformedDefaults
        self.isDeferred = isDeferred
        moves = EntityMoves(evolution, from: source, to: target.schema, details.highestKeys)
        finder = TargetColumnFinder(evolution: evolution, source: source, moves: moves)
        for (table, columns) in catalog.tables {
            let names = Dictionary(uniqueKeysWithValues: columns.keys.map { ($0, $0) })
            tables[table] = EvolvingTable(name: table, columns: names)
        }
    }

    package consuming func planned() throws(StoreError) -> MigrationPlan {
        dropTriggers()
        removeObjects()
        renumber()
        let joins = joinOrigins()
        renameTables(joins)
        let columns = targetColumns()
        for layout in target.tables { arrangeColumns(of: layout, columns[layout.name]!) }
        shiftKeys()
        for layout in target.tables { requireReadable(columns[layout.name]!) }
        for layout in target.tables { computeColumns(of: layout, columns[layout.name]!) }
        copyRows(columns)
        try link(joins, columns)
        removeCopiedRows()
        for layout in target.tables { fill(layout, columns[layout.name]!) }
        dropLeftovers()
        arrangeIndexes(columns)
        arrangeTriggers()
        for layout in target.tables { derive(layout, columns) }
        rewriteHistory()
        rewriteEntityRows()
        return plan
    }

    private func targetColumns() -> [SQLIdentifier: [TargetColumn]] {
        var result: [SQLIdentifier: [TargetColumn]] = [:]
        for layout in target.tables { result[layout.name] = finder.columns(of: layout) }
        return result
    }

    // MARK: Names

    func name(of entity: EntityIndex) -> String { evolution.destination[entity].name }

    /// Returns a table of the store under its present name.
    func current(_ table: SQLIdentifier) -> EvolvingTable {
        tables[table] ?? EvolvingTable(name: table, columns: [:])
    }

    /// Returns the condition that a row is of one of the entities, with ` WHERE `; empty where all rows of
    /// the table are.
    func rows(of entities: some Sequence<EntityIndex>, and condition: SQLText? = nil) -> SQLText {
        let wanted = Set(entities.filter { moves.moves[$0] != nil })
        let numbers = wanted.compactMap { target.schema[$0]?.number }.sorted()
        let table = wanted.first.flatMap { target.schema[$0]?.tableName }
        let isWhole = moves.moves.values.allSatisfy {
            $0.newTable != table || wanted.contains($0.destination)
        }
        let isOf = isWhole ? nil : Self.isOne(of: numbers, NameMangling.entity)
        let conditions = [isOf, condition].compactMap { $0 }
        return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }

    static func isOne(of numbers: [Int64], _ column: SQLIdentifier) -> SQLText {
        numbers.count == 1 ? "\(column) = \(numbers[0])" : "\(column) IN (\(numbers.listed()))"
    }

    /// Returns `column = NULL, …`.
    static func cleared(_ columns: [SQLIdentifier]) -> SQLText {
        columns.map { "\($0) = NULL" }.joined(separator: ", ")
    }

    /// Returns `CASE column WHEN 1 THEN 2 … END`.
    static func choice(
        _ column: SQLText, _ values: [Int64: Int64], otherwise: SQLText? = nil
    ) -> SQLText {
        let cases = values.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" as SQLText }
        let rest: SQLText = otherwise.map { " ELSE \($0)" } ?? ""
        return "CASE \(column) \(cases.joined(separator: " "))\(rest) END"
    }
}
