import CoreDataModelFormat
package import Foundation

/// The tables that every store has beside its entities (sqlite-store §2).
package enum Bookkeeping {
    /// Returns one row per entity, abstract ones too; only the root's Z_MAX counts.
    ///
    /// - Parameter highestKeys: The keys handed out so far, by table.
    package static func entityRows(
        _ schema: StoreSchema, highestKeys: [SQLIdentifier: Int64] = [:]
    ) -> [SQLFragment] {
        schema.tablesByNumber.map { table in
            let entity = schema.model[table.entity]
            let parent = entity.superentity.flatMap { schema[$0]?.number } ?? 0
            let highest = entity.root == entity.index ? highestKeys[table.tableName] ?? 0 : 0
            return """
                INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\(bind: .integer(table.number)), \
                \(bind: .text(entity.name)), \(bind: .integer(parent)), \(bind: .integer(highest)))
                """
        }
    }

    package static let readMetadata: SQLFragment =
        "SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1"

    package static func insertMetadata(uuid: String, plist: Data) -> SQLFragment {
        """
        INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, \(bind: .text(uuid)), \
        \(bind: .blob(plist)))
        """
    }

    package static func updateMetadata(plist: Data) -> SQLFragment {
        "UPDATE Z_METADATA SET Z_PLIST = \(bind: .blob(plist)) WHERE Z_VERSION = 1"
    }

    package static func insertModelCache(_ content: Data) -> SQLFragment {
        "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(bind: .blob(content)))"
    }
}
