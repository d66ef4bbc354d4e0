import CoreDataModelFormat
import CoreDataValues

/// The compiler of an entity's R-trees: for each a virtual table, and the triggers that keep it up to date
/// (sqlite-store §9).
struct SpatialIndexCompiler {
    let entity: CompiledEntity
    let table: EntityTable

    func definitions() -> [SpatialIndexDefinition] {
        SpatialIndex.all(of: entity).compactMap { index in
            let columns = index.components.compactMap { component in
                entity.slot(named: component)?.column.map { table.columns[$0].name }
            }
            guard columns.count == index.components.count else { return nil }
            return definition(index.table, columns)
        }
    }

    private func definition(
        _ name: SQLIdentifier, _ columns: [SQLIdentifier]
    ) -> SpatialIndexDefinition {
        let bounds = columns.flatMap { [SpatialIndex.minimum(of: $0), SpatialIndex.maximum(of: $0)] }
        let declared = bounds.map { "\($0) FLOAT" as SQLText }.joined(separator: ", ")
        // Apple's framework writes the blanks like this.
        let values = columns.enumerated().map { position, column -> SQLText in
            position == 0 ? "NEW.\(column) ,NEW.\(column)" : "NEW.\(column), NEW.\(column)"
        }
        let row: SQLText = """
            INTO \(name) (Z_PK, \(bounds.joined(separator: ", "))) \
            VALUES (NEW.Z_PK, \(values.joined(separator: ", "))) ;
            """
        func trigger(_ event: SQLText, _ body: SQLText) -> SQLFragment {
            let trigger = SQLIdentifier("\(name)_\(event)")
            return SQLFragment(
                """
                CREATE TRIGGER \(trigger) AFTER \(event) ON \(table.tableName) FOR EACH ROW \
                BEGIN \(body) END
                """)
        }
        return SpatialIndexDefinition(
            name: name, source: table.tableName,
            table: SQLFragment(
                "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(declared))"),
            triggers: [
                trigger("INSERT", "INSERT OR REPLACE \(row)"),
                trigger("UPDATE", "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT \(row)"),
                trigger("DELETE", "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ;"),
            ],
            fill: SQLFragment(
                """
                INSERT INTO \(name) (Z_PK, \(bounds.joined(separator: ", "))) \
                SELECT Z_PK, \(columns.flatMap { [$0, $0] }.joined(separator: ", ")) FROM \(table.tableName)
                """))
    }
}
