import CoreDataSQL
import CoreDataStore

/// The work on full-text indexes when a store is opened. Those that the model declares are made and filled if
/// they are missing. Others are dropped, since saves would not keep them up to date.
struct SearchUpkeep {
    private let missing: [SearchTable]
    private let unwanted: [SQLIdentifier]

    init(_ wanted: some Collection<SearchTable>, in catalog: StoreCatalog) {
        let found = catalog.tables.filter { $0.key.name.hasPrefix(SearchTable.prefix) }
        missing = wanted.filter { !Self.has($0, in: catalog) }.sorted { $0.source < $1.source }
        let kept = Set(wanted.map(\.name)).subtracting(missing.map(\.name))
        unwanted = found.keys.filter { !kept.contains($0) }.sorted()
    }

    static func has(_ table: SearchTable, in catalog: StoreCatalog) -> Bool {
        guard let columns = catalog.tables[table.name]?.keys else { return false }
        return Set(columns) == Set(table.columns + [NameMangling.key])
    }

    var isNeeded: Bool { !missing.isEmpty || !unwanted.isEmpty }

    /// Drops all indexes, whose tables refer to those of entities.
    static func dropAll(on session: Session) throws(SQLError) {
        let all = SearchUpkeep([], in: try PostgreSQLStores.dialect.catalog(on: session))
        for name in all.unwanted { try session.execute("DROP TABLE \(name)") }
    }

    /// Drops and makes indexes, in the session's transaction.
    func run(_ schema: StoreSchema, _ dialect: PostgreSQLDialect, on session: Session) throws(SQLError) {
        for name in unwanted { try session.execute("DROP TABLE \(name)") }
        for table in missing {
            for (_, statement) in dialect.definitions(of: table) { try session.execute(statement) }
        }
        try SearchWords(schema: schema, dialect: dialect).fill(missing, on: session)
    }
}
