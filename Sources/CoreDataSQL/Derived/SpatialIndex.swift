import CoreDataModelFormat
import CoreDataValues
import Foundation

/// An R-tree that an entity declares: by a spatial fetch index, or by an attribute of undefined type whose
/// user info names the attributes that make up a location.
struct SpatialIndex {
    let name: String
    /// The names of the attributes.
    let components: [String]
    /// The virtual table (sqlite-store §9).
    let table: SQLIdentifier

    static func all(of entity: CompiledEntity) -> [SpatialIndex] {
        let indexes = entity.element.fetchIndexes.map { ($0.name, components(of: $0)) }
        let locations = entity.element.attributes.map { ($0.name, components(of: $0)) }
        return (indexes + locations).filter { !$1.isEmpty }.map { name, components in
            SpatialIndex(
                name: name, components: components, table: SQLIdentifier("Z_RT_\(entity.name)_\(name)"))
        }
    }

    /// Returns the properties of a spatial fetch index; empty for an index of another kind.
    private static func components(of index: FetchIndexElement) -> [String] {
        index.elements.allSatisfy { $0.kind == .rTree } ? index.elements.compactMap(\.propertyName) : []
    }

    private static func components(of attribute: AttributeElement) -> [String] {
        let entry = attribute.userInfo.first { $0.key == "_NSLocationAttributeDerivedComponents" }
        return entry?.value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
    }

    /// Returns the column of the tree for the minimum of a column of the indexed table.
    static func minimum(of column: SQLIdentifier) -> SQLIdentifier { SQLIdentifier(column.name + "_MIN") }
    static func maximum(of column: SQLIdentifier) -> SQLIdentifier { SQLIdentifier(column.name + "_MAX") }

    /// Returns the R-trees of a store, each of which has a shadow table `…_node`.
    static func tables(in catalog: StoreCatalog) -> Set<SQLIdentifier> {
        let nodes = catalog.tables.keys.map(\.name).filter { $0.hasPrefix("Z_RT_") && $0.hasSuffix("_node") }
        return Set(nodes.map { SQLIdentifier(String($0.dropLast("_node".count))) })
    }
}
