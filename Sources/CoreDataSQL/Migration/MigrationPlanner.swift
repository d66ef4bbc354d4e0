package import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues
package import Foundation

/// Plans a migration in place: `two schemas -> statements`. Pure.
///
/// Tables, columns and join tables that go on are renamed, which costs nothing; what is new is added and filled; what
/// is gone is dropped in the end, when nothing needs it any more. Rows are written only where a value changes: a
/// default, another type, another entity number, another place in the hierarchy. What SQL cannot say throws
/// `inexpressible`: such a store is migrated by copying it.
package struct MigrationPlanner {
    let evolution: ModelEvolution
    let source: StoreSchema
    let target: NewStoreSchema
    let catalog: StoreCatalog
    let details: MigrationCatalog
    /// By entity and key path.
    let transformedDefaults: [String: Data]
    /// Whether what is gone is only put aside, to be dropped later.
    let isDeferred: Bool
    let moves: EntityMoves
    let finder: TargetColumnFinder
    var plan = MigrationPlan()
    /// Tables of the store by their first name: what they and their columns are called by now.
    var tables: [SQLIdentifier: EvolvingTable] = [:]
    /// Columns that are columns of the store as they are, by table of the new model.
    var carried: [SQLIdentifier: Set<SQLIdentifier>] = [:]
    /// Columns that nothing of the new model is made of, by table of the store.
    var leftovers: [SQLIdentifier: [SQLIdentifier]] = [:]
    /// Tables whose rows are indexed anew, because their columns are not what they were.
    var rebuilt: Set<SQLIdentifier> = []
    /// Join tables of the store that go on.
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

    /// A table of the store by what it is called now.
    func current(_ table: SQLIdentifier) -> EvolvingTable {
        tables[table] ?? EvolvingTable(name: table, columns: [:])
    }

    /// The condition that a row is of one of the entities, ` WHERE ` included; empty where all rows of the table are.
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

    /// `column = NULL, …`
    static func cleared(_ columns: [SQLIdentifier]) -> SQLText {
        columns.map { "\($0) = NULL" }.joined(separator: ", ")
    }

    /// `CASE column WHEN 1 THEN 2 … END`
    static func choice(
        _ column: SQLText, _ values: [Int64: Int64], otherwise: SQLText? = nil
    ) -> SQLText {
        let cases = values.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" as SQLText }
        let rest: SQLText = otherwise.map { " ELSE \($0)" } ?? ""
        return "CASE \(column) \(cases.joined(separator: " "))\(rest) END"
    }
}
