package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The compiler of a model into the tables of a new store: exactly those Core Data would create (sqlite-store
/// §3-§9).
package struct SchemaCompiler {
    private let model: CompiledModel
    private let numbers: EntityNumbers
    private let dialect: any SQLDialect

    /// Makes the compiler of a model.
    ///
    /// - Parameters:
    ///   - subset: The entities of a configuration; nil for all.
    ///   - numbers: The numbers of these entities; nil for those of a new store.
    package init(
        _ model: CompiledModel, subset: Set<EntityIndex>? = nil, numbers: EntityNumbers? = nil,
        dialect: any SQLDialect
    ) {
        self.model = model
        self.dialect = dialect
        self.numbers = numbers ?? EntityNumbers(counting: model, subset: subset)
    }

    package func compile() throws(StoreError) -> NewStoreSchema {
        var names = NameScope(NameMangling.bookkeeping, in: dialect)
        let tables = TableLayoutCompiler(model: model, numbers: numbers, dialect: dialect).layouts(&names)
        let joins = JoinCompiler(model: model, numbers: numbers, dialect: dialect).layouts(&names)
        let assembler = SchemaAssembler(model: model, numbers: numbers, tables: tables, joins: joins)
        var schema = try assembler.schema()
        schema.searchTables = try schema.wantedSearchTables()
        schema.keepsExternalFiles = dialect.keepsExternalFiles
        var keepers: [EntityKeepers] = []
        for table in numbers.ordered.compactMap({ schema[$0] }) {
            keepers.append(try dialect.keepers(of: table, in: schema))
        }
        schema.spatialTables = Set(keepers.flatMap { $0.spatial.map(\.name) })
        let indexes = IndexCompiler(
            schema: schema, numbers: numbers, tables: tables, joins: joins, dialect: dialect)
        return NewStoreSchema(
            schema: schema, tables: tables, indexes: indexes.definitions(&names), keepers: keepers,
            dialect: dialect)
    }
}

/// The tables, indexes, triggers and bookkeeping of a new store.
package struct NewStoreSchema: Sendable {
    package let schema: StoreSchema
    package let tables: [TableLayout]
    package let indexes: [IndexDefinition]
    private let keepers: [EntityKeepers]
    let dialect: any SQLDialect

    fileprivate init(
        schema: StoreSchema, tables: [TableLayout], indexes: [IndexDefinition], keepers: [EntityKeepers],
        dialect: any SQLDialect
    ) {
        self.schema = schema
        self.tables = tables
        self.indexes = indexes
        self.keepers = keepers
        self.dialect = dialect
    }

    /// The entity tables by number, each followed by the join tables that bear its name.
    private var definition: [SQLFragment] {
        tables.flatMap { table in
            [table.definition(in: dialect)]
                + schema.joinTables.filter { schema.model[$0.master].root == table.root }
                .map { $0.definition(in: dialect) }
        }
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
        definition + indexes.map(\.statement) + triggers + dialect.bookkeeping(schema)
            + Bookkeeping.entityRows(schema)
            + searchTables.flatMap { dialect.definitions(of: $0).map { SQLFragment($0.statement) } }
    }

    private var searchTables: [SearchTable] {
        schema.searchTables.values.sorted(by: \.source)
    }
}
