import CoreDataModelFormat
import CoreDataStore

/// The tables of the history (sqlite-store §12).
extension HistoryModel {
    static let schema = StoreSchema(
        model: compiled, entities: compiled.entities.map(table), joinTables: [])

    private static func table(_ entity: CompiledEntity) -> EntityTable {
        let (number, table) =
            switch entity.name {
            case changeName: (HistorySchema.changeNumber, HistorySchema.changes)
            case transactionName: (HistorySchema.transactionNumber, HistorySchema.transactions)
            default: (HistorySchema.stringNumber, HistorySchema.strings)
            }
        let columns = entity.columns.map { slot in
            StoredColumn(slot: slot.index, name: SQLIdentifier(column(slot.name, of: entity.name)))
        }
        let toMany = entity.slots.filter(\.isToMany).map { slot in
            let storage = ToManyStorage.foreignKey(
                table: HistorySchema.changes, column: SQLIdentifier("ZTRANSACTIONID"), orderColumn: nil,
                isOwn: false)
            return (slot.index, storage)
        }
        return EntityTable(
            entity: entity.index, number: number, tableName: table, columns: columns,
            toMany: Dictionary(uniqueKeysWithValues: toMany))
    }

    private static func column(_ property: String, of entity: String) -> String {
        switch (entity, property) {
        case (_, "changeID"), (transactionName, "token"), (_, "transactionNumber"): "Z_PK"
        case (changeName, "token"), (_, "transaction"): "ZTRANSACTIONID"
        case (_, changedEntity): "ZENTITY"
        case (_, changedKey): "ZENTITYPK"
        case (_, "updatedProperties"): "ZCOLUMNS"
        case (_, let name): "Z" + name.uppercased()
        }
    }
}
