package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

extension SQLBackend {
    /// Reads previews by one statement, and one more for each to-many relationship, whose members are counted.
    package func previews(
        of rows: [ObjectReference], slots: [PropertySlot]
    ) throws(StoreError) -> [Int64: [ValuePreview]] {
        guard let first = rows.first else { return [:] }
        // Slots of a subentity have columns in the rows of this subentity only.
        let entity = slots.map(\.declaringEntity).max() ?? schema.model[first.entity].root
        let table = try schema.table(of: entity)
        let selection = PreviewSelection(slots, of: table, in: schema)
        let keyed = KeyedRows(
            table: table.tableName, column: NameMangling.key,
            keys: .list("\(bind: SelectCompiler.keys(rows))"))
        let select: SQLFragment =
            "SELECT \(selection.columns.joined(separator: ", "))\(dialect.source(keyed))"
        var counts: [(position: Int, select: SQLFragment)] = []
        for (position, slot) in slots.enumerated() where slot.isToMany {
            counts.append((position, try compiler.memberCounts(slot.index, of: entity, ofEach: rows)))
        }
        return try read(.latestStatement) { connection throws(SQLError) in
            var result: [Int64: [ValuePreview]] = [:]
            try connection.forEachRow(of: select) { row in
                result[row.integer(at: 0)] = selection.previews(of: row)
            }
            for (position, select) in counts {
                for key in result.keys { result[key]?[position] = .count(0) }
                try connection.forEachRow(of: select) { row in
                    result[row.integer(at: 0)]?[position] = .count(Int(row.integer(at: 1)))
                }
            }
            return result
        }
    }
}
