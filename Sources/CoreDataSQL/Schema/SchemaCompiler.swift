package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Computes the tables of a new store from its model: exactly those Core Data would create
/// (sqlite-store §3-§9).
package struct SchemaCompiler {
    private let model: CompiledModel
    private let numbers: EntityNumbers

    /// - Parameter subset: the entities of a configuration; nil for all.
    package init(_ model: CompiledModel, subset: Set<EntityIndex>? = nil) {
        self.model = model
        numbers = EntityNumbers(counting: model, subset: subset)
    }

    package func compile() throws(StoreError) -> NewStoreSchema {
        let tables = TableLayoutCompiler(model: model, numbers: numbers).layouts()
        let joins = JoinCompiler(model: model, numbers: numbers).layouts()
        let assembler = SchemaAssembler(model: model, numbers: numbers, tables: tables, joins: joins)
        var schema = try assembler.schema()
        schema.searchTables = try schema.wantedSearchTables()
        schema.spatialTables = Set(
            numbers.ordered.flatMap { SpatialIndex.all(of: model[$0]).map(\.table) })
        let indexes = IndexCompiler(schema: schema, numbers: numbers, tables: tables, joins: joins)
        return NewStoreSchema(
            schema: schema,
            tables: tables,
            indexes: indexes.statements(),
            triggers: try Self.triggerStatements(numbers, schema),
            definition: Self.tableStatements(tables, schema))
    }

    /// Entity by entity: what keeps its derived attributes, then its spatial indexes.
    private static func triggerStatements(
        _ numbers: EntityNumbers, _ schema: StoreSchema
    ) throws(StoreError) -> [SQLFragment] {
        var result: [SQLFragment] = []
        for index in numbers.ordered {
            guard let table = schema[index] else { continue }
            let entity = schema.model[index]
            result += try TriggerCompiler(schema: schema, entity: entity, table: table).statements()
            result += SpatialIndexCompiler(entity: entity, table: table).statements()
        }
        return result
    }

    /// Entity tables by number, each followed by the join tables that bear its name.
    private static func tableStatements(_ tables: [TableLayout], _ schema: StoreSchema) -> [SQLFragment] {
        var result: [SQLFragment] = []
        for table in tables {
            let columns = table.columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
            result.append(SQLFragment("CREATE TABLE \(table.name) ( \(columns) )"))
            for join in schema.joinTables where schema.model[join.master].root == table.root {
                let columns = ([join.firstColumn, join.secondColumn] + join.orderColumns)
                    .map { "\($0) INTEGER" }.joined(separator: ", ")
                let key = "PRIMARY KEY (\(join.firstColumn), \(join.secondColumn))"
                result.append(SQLFragment("CREATE TABLE \(join.name) ( \(columns), \(key) )"))
            }
        }
        return result
    }
}

/// What a new store consists of.
package struct NewStoreSchema: Sendable {
    package let schema: StoreSchema
    package let tables: [TableLayout]
    package let indexes: [SQLFragment]
    /// Triggers of derived attributes, tables and triggers of spatial indexes.
    package let triggers: [SQLFragment]
    fileprivate let definition: [SQLFragment]

    fileprivate init(
        schema: StoreSchema, tables: [TableLayout], indexes: [SQLFragment], triggers: [SQLFragment],
        definition: [SQLFragment]
    ) {
        self.schema = schema
        self.tables = tables
        self.indexes = indexes
        self.triggers = triggers
        self.definition = definition
    }

    /// The DDL in the order of sqlite-store §2: tables, indexes, triggers, bookkeeping. What Apple's stores do not
    /// have comes last.
    package var statements: [SQLFragment] {
        definition + indexes + triggers + Bookkeeping.tables + Bookkeeping.entityRows(schema)
            + searchTables.flatMap { $0.definitions.map { SQLFragment($0.statement) } }
    }

    private var searchTables: [SearchTable] {
        schema.searchTables.values.sorted { $0.source < $1.source }
    }
}
