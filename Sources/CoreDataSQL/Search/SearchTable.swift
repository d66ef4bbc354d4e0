import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// The full-text index of one entity table, over the texts of all attributes that ask for it, those of
/// subentities included.
package struct SearchTable: Sendable, Hashable {
    /// The beginning of the index's names: Apple's framework has no names that do not begin with Z or A and
    /// owns no triggers under this one.
    package static let prefix = "FULLTEXT_"

    /// The table whose rows are indexed; the key of a row is its `rowid` here.
    package let source: SQLIdentifier
    /// The columns that are indexed; they have the same names here.
    package let columns: [SQLIdentifier]

    package var name: SQLIdentifier { SQLIdentifier(Self.prefix + source.name) }

    package init(source: SQLIdentifier, columns: [SQLIdentifier]) {
        self.source = source
        self.columns = columns
    }
}

extension StoreSchema {
    /// Returns the indexes that the model asks for, by the table they are about.
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
