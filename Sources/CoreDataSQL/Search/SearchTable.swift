import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// The full-text index of one entity table, over the texts of all attributes with full-text indexing, those
/// of subentities included.
package struct SearchTable: Sendable, Equatable {
    /// The beginning of the names of indexes and their triggers. Apple's framework has no tables or triggers
    /// whose names begin like this.
    package static let prefix = "FULLTEXT_"

    /// The table whose rows are indexed. The key of a row is the `rowid` in the index.
    package let source: SQLIdentifier
    /// The columns that are indexed, under their own names.
    package let columns: [SQLIdentifier]

    package var name: SQLIdentifier { SQLIdentifier(Self.prefix + source.name) }

    package init(source: SQLIdentifier, columns: [SQLIdentifier]) {
        self.source = source
        self.columns = columns
    }
}

extension StoreSchema {
    /// Returns the indexes that the model declares, by the table whose rows they index.
    package func wantedSearchTables() throws(StoreError) -> [SQLIdentifier: SearchTable] {
        var result: [SQLIdentifier: SearchTable] = [:]
        for entity in model.entities where entity.root == entity.index {
            guard let table = self[entity.index] else { continue }
            let columns = try model.fullTextIndexed(inTreeOf: entity.index).compactMap { slot in
                slot.column.flatMap { self[slot.declaringEntity]?.columns[$0].name }
            }
            if !columns.isEmpty {
                result[table.tableName] = SearchTable(source: table.tableName, columns: columns)
            }
        }
        return result
    }
}
