package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The compiler of a model into the tables of a new store: exactly those Core Data would create (sqlite-store
/// §3-§9).
package struct SchemaCompiler {
    private let model: CompiledModel
    private let numbers: EntityNumbers

    /// Makes the compiler of a model.
    ///
    /// - Parameter subset: The entities of a configuration; nil for all.
    package init(_ model: CompiledModel, subset: Set<EntityIndex>? = nil) {
        self.model = model
        numbers = EntityNumbers(counting: model, subset: subset)
    }

    package func compile() throws(StoreError) -> NewStoreSchema {
        var names = NameScope(NameMangling.bookkeeping)
        let tables = TableLayoutCompiler(model: model, numbers: numbers).layouts(&names)
        let joins = JoinCompiler(model: model, numbers: numbers).layouts(&names)
        let assembler = SchemaAssembler(model: model, numbers: numbers, tables: tables, joins: joins)
        var schema = try assembler.schema()
        schema.searchTables = try schema.wantedSearchTables()
        schema.spatialTables = Set(
            numbers.ordered.flatMap { SpatialIndex.all(of: model[$0]).map(\.table) })
        let indexes = IndexCompiler(schema: schema, numbers: numbers, tables: tables, joins: joins)
        return NewStoreSchema(
            schema: schema,
            tables: tables,
            indexes: indexes.definitions(&names),
            keepers: try Self.keepers(numbers, schema),
            definition: Self.tableStatements(tables, schema))
    }

    private static func keepers(
        _ numbers: EntityNumbers, _ schema: StoreSchema
    ) throws(StoreError) -> [EntityKeepers] {
        var result: [EntityKeepers] = []
        for index in numbers.ordered {
            guard let table = schema[index] else { continue }
            let entity = schema.model[index]
            result.append(
                EntityKeepers(
                    derived: try TriggerCompiler(schema: schema, entity: entity, table: table).statements(),
                    spatial: SpatialIndexCompiler(entity: entity, table: table).definitions()))
        }
        return result
    }

    /// Returns entity tables by number, each followed by the join tables that bear its name.
    private static func tableStatements(_ tables: [TableLayout], _ schema: StoreSchema) -> [SQLFragment] {
        var result: [SQLFragment] = []
        for table in tables {
            result.append(table.definition)
            for join in schema.joinTables where schema.model[join.master].root == table.root {
                result.append(join.definition)
            }
        }
        return result
    }
}

/// The triggers that keep the derived attributes of an entity and its spatial indexes.
private struct EntityKeepers: Sendable {
    let derived: [SQLFragment]
    let spatial: [SpatialIndexDefinition]
}

/// The tables, indexes, triggers and bookkeeping of a new store.
package struct NewStoreSchema: Sendable {
    package let schema: StoreSchema
    package let tables: [TableLayout]
    package let indexes: [IndexDefinition]
    private let keepers: [EntityKeepers]
    fileprivate let definition: [SQLFragment]

    fileprivate init(
        schema: StoreSchema, tables: [TableLayout], indexes: [IndexDefinition], keepers: [EntityKeepers],
        definition: [SQLFragment]
    ) {
        self.schema = schema
        self.tables = tables
        self.indexes = indexes
        self.keepers = keepers
        self.definition = definition
    }

    /// The triggers of derived attributes, and the tables and triggers of spatial indexes.
    package var triggers: [SQLFragment] {
        keepers.flatMap { $0.derived + $0.spatial.flatMap { [$0.table] + $0.triggers } }
    }

    var derivedTriggers: [SQLFragment] { keepers.flatMap(\.derived) }

    var spatialIndexes: [SpatialIndexDefinition] { keepers.flatMap(\.spatial) }

    /// The DDL in the order of sqlite-store §2: tables, indexes, triggers, bookkeeping.
    ///
    /// Additions to Apple's stores come last.
    package var statements: [SQLFragment] {
        definition + indexes.map(\.statement) + triggers + Bookkeeping.tables + Bookkeeping.entityRows(schema)
            + searchTables.flatMap { $0.definitions.map { SQLFragment($0.statement) } }
    }

    private var searchTables: [SearchTable] {
        schema.searchTables.values.sorted { $0.source < $1.source }
    }
}
