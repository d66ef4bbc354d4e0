import CoreDataModelFormat
import CoreDataValues
import Foundation

/// The R-trees of an entity: a virtual table each, and the triggers that fill it (sqlite-store §9). One belongs to a
/// spatial fetch index, or to an attribute of no type whose user info names the attributes that make up a location.
struct SpatialIndexCompiler {
    let entity: CompiledEntity
    let table: EntityTable

    func statements() -> [SQLFragment] {
        let indexes = entity.element.fetchIndexes.map { ($0.name, Self.components(of: $0)) }
        let locations = entity.element.attributes.map { ($0.name, Self.components(of: $0)) }
        return (indexes + locations).flatMap { name, components -> [SQLFragment] in
            let columns = components.compactMap { component in
                entity.slot(named: component)?.column.map { table.columns[$0].name }
            }
            guard !columns.isEmpty, columns.count == components.count else { return [] }
            return statements("Z_RT_\(entity.name)_\(name)", columns)
        }
    }

    /// The properties of a spatial index; empty for another one.
    private static func components(of index: FetchIndexElement) -> [String] {
        index.elements.allSatisfy { $0.kind == .rTree } ? index.elements.compactMap(\.propertyName) : []
    }

    private static func components(of attribute: AttributeElement) -> [String] {
        let entry = attribute.userInfo.first { $0.key == "_NSLocationAttributeDerivedComponents" }
        return entry?.value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
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
