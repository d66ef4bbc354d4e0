import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The assembling of the layouts of tables and join tables into a `StoreSchema`, in which a backend looks up
/// tables by entity, column and slot.
struct SchemaAssembler {
    let model: CompiledModel
    let numbers: EntityNumbers
    let tables: [TableLayout]
    let joins: [JoinLayout]

    func schema() throws(StoreError) -> StoreSchema {
        let byRoot = Dictionary(uniqueKeysWithValues: tables.map { ($0.root, $0) })
        var joinBySide: [PropertyID: JoinLayout] = [:]
        for join in joins {
            joinBySide[PropertyID(join.pair.master)] = join
            joinBySide[PropertyID(join.pair.detail)] = join
        }
        var entities: [EntityTable?] = []
        for entity in model.entities {
            guard let number = numbers[entity.index], let layout = byRoot[entity.root] else {
                entities.append(nil)
                continue
            }
            var columns: [StoredColumn] = []
            for slot in entity.columns {
                guard let column = layout.stored[PropertyID(slot)] else {
                    throw StoreError(
                        .incompatibleModel([entity.name]), "no column for \(entity.name).\(slot.name)")
                }
                columns.append(column)
            }
            entities.append(
                EntityTable(
                    entity: entity.index, number: number, tableName: layout.name,
                    columns: columns,
                    orderColumns: layout.orderColumns.compactMap { name in
                        columns.firstIndex { $0.orderColumn == name }
                    },
                    toMany: toMany(of: entity, byRoot, joinBySide)))
        }
        return StoreSchema(model: model, entities: entities, joinTables: joins.map(\.table))
    }

    private func toMany(
        of entity: CompiledEntity,
        _ byRoot: [EntityIndex: TableLayout],
        _ joinBySide: [PropertyID: JoinLayout]
    ) -> [Int: ToManyStorage] {
        var result: [Int: ToManyStorage] = [:]
        for slot in entity.slots where slot.isToMany && !slot.isTransient {
            guard let relationship = slot.relationship,
                let table = byRoot[model[relationship.destination].root]
            else { continue }
            let side = PropertyID(slot)
            if let join = joinBySide[side] {
                result[slot.index] = join.storage(from: side)
            } else if let own = table.own[side] {
                result[slot.index] = .foreignKey(
                    table: table.name, column: own.name, orderColumn: own.orderColumn, isOwn: true)
            } else if let inverse = model.inverse(of: relationship),
                let column = table.stored[PropertyID(inverse)]
            {
                result[slot.index] = .foreignKey(
                    table: table.name, column: column.name, orderColumn: column.orderColumn, isOwn: false)
            }
        }
        return result
    }
}
