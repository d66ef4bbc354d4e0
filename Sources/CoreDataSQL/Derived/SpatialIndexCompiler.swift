import CoreDataModelFormat
import CoreDataValues

/// The R-trees of an entity: a virtual table each, and the triggers that fill it (sqlite-store §9).
struct SpatialIndexCompiler {
    let entity: CompiledEntity
    let table: EntityTable

    func statements() -> [SQLFragment] {
        SpatialIndex.all(of: entity).flatMap { index -> [SQLFragment] in
            let columns = index.components.compactMap { component in
                entity.slot(named: component)?.column.map { table.columns[$0].name }
            }
            guard columns.count == index.components.count else { return [] }
            return statements(index.table, columns)
        }
    }

    private func statements(_ name: String, _ columns: [String]) -> [SQLFragment] {
        let bounds = columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] }
        let declared = bounds.map { "\($0) FLOAT" }.joined(separator: ", ")
        // The blanks are where Apple's framework has them.
        let values = columns.enumerated().map { position, column in
            position == 0 ? "NEW.\(column) ,NEW.\(column)" : "NEW.\(column), NEW.\(column)"
        }
        let row = """
            INTO \(name) (Z_PK, \(bounds.joined(separator: ", "))) \
            VALUES (NEW.Z_PK, \(values.joined(separator: ", "))) ;
            """
        func trigger(_ event: String, _ body: String) -> SQLFragment {
            SQLFragment(
                """
                CREATE TRIGGER \(name)_\(event) AFTER \(event) ON \(table.tableName) FOR EACH ROW \
                BEGIN \(body) END
                """)
        }
        return [
            SQLFragment("CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(declared))"),
            trigger("INSERT", "INSERT OR REPLACE \(row)"),
            trigger("UPDATE", "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT \(row)"),
            trigger("DELETE", "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ;"),
        ]
    }
}
