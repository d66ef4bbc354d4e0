import CoreDataModelFormat
package import CoreDataSQL
import CoreDataValues

/// A store to be checked: a connection, the tables and columns of the model's properties, and the store's
/// files.
package struct CheckedStore {
    package let connection: any InspectedConnection
    package let schema: StoreSchema
    /// The files of the store; nil if it is on a server, where no value is in a file of its own.
    package let files: StoreFiles?

    package init(connection: any InspectedConnection, schema: StoreSchema, files: StoreFiles?) {
        self.connection = connection
        self.schema = schema
        self.files = files
    }

    private var model: CompiledModel { schema.model }

    /// Returns the entity numbers of an entity and its descendants.
    func numbers(_ entity: EntityIndex) -> [Int64] {
        model[entity].family.compactMap { schema[$0]?.number }
    }

    /// The tables of the roots that the store holds.
    var roots: [EntityTable] {
        model.entities.filter { $0.root == $0.index }.compactMap { schema[$0.index] }
    }

    /// The columns of to-one relationships, each once, for the entity that declares the relationship.
    var toOnes: [(column: ToOneColumn, slot: PropertySlot)] {
        declared { entity, table in
            table.columns.compactMap { stored in
                let slot = entity.slots[stored.slot]
                guard slot.declaringEntity == entity.index, let column = toOne(slot, stored, table) else {
                    return nil
                }
                return (column, slot)
            }
        }
    }

    /// Returns the column of a relationship's inverse if that is a stored to-one; nil otherwise.
    func inverse(of slot: PropertySlot) -> ToOneColumn? {
        guard let relationship = slot.relationship, let inverse = model.inverse(of: relationship),
            inverse.isToOne, let table = schema[inverse.declaringEntity],
            let stored = table.columns.first(where: { $0.slot == inverse.index })
        else { return nil }
        return toOne(inverse, stored, table)
    }

    private func toOne(_ slot: PropertySlot, _ stored: StoredColumn, _ table: EntityTable) -> ToOneColumn? {
        guard let relationship = slot.relationship, let destination = schema[relationship.destination] else {
            return nil
        }
        return ToOneColumn(
            property: name(of: slot), table: table.tableName, column: stored.name,
            entityColumn: stored.entityColumn, orderColumn: stored.orderColumn,
            owners: numbers(slot.declaringEntity), destinationTable: destination.tableName,
            destinations: numbers(relationship.destination))
    }

    /// The columns of to-many relationships without an inverse, which are in the members' table and refer to
    /// the owner.
    var ownColumns: [ToOneColumn] {
        toManys.compactMap { slot, storage in
            guard case .foreignKey(let table, let column, let orderColumn, isOwn: true) = storage,
                let relationship = slot.relationship, let owner = schema[slot.declaringEntity]
            else { return nil }
            return ToOneColumn(
                property: name(of: slot), table: table, column: column, entityColumn: nil,
                orderColumn: orderColumn, owners: numbers(relationship.destination),
                destinationTable: owner.tableName, destinations: numbers(slot.declaringEntity))
        }
    }

    /// The columns that contain the positions of members in ordered relationships.
    var orders: [OrderedColumn] {
        toManys.compactMap { slot, storage in
            switch storage {
            case .foreignKey(let table, let column, let orderColumn?, _):
                OrderedColumn(
                    property: name(of: slot), table: table, ownerColumn: column, orderColumn: orderColumn,
                    keyColumns: [NameMangling.key])
            case .join(let table, let ownerColumn, let memberColumn, let orderColumn?, _):
                OrderedColumn(
                    property: name(of: slot), table: table, ownerColumn: ownerColumn,
                    orderColumn: orderColumn, keyColumns: [ownerColumn, memberColumn])
            default: nil
            }
        }
    }

    var joins: [JoinEnds] {
        schema.joinTables.compactMap { join in
            let slot = model[join.master].slots[join.masterSlot]
            guard let relationship = slot.relationship, let master = schema[join.master],
                let detail = schema[relationship.destination]
            else { return nil }
            return JoinEnds(
                property: name(of: slot), table: join.name,
                first: .init(
                    column: join.firstColumn, table: master.tableName, entities: numbers(join.master)),
                second: .init(
                    column: join.secondColumn, table: detail.tableName,
                    entities: numbers(relationship.destination)))
        }
    }

    /// The columns of attributes whose values may be in files.
    var blobs: [BlobColumn] {
        declared { entity, table in
            table.columns.compactMap { stored in
                let slot = entity.slots[stored.slot]
                guard slot.declaringEntity == entity.index, slot.attribute?.allowsExternalStorage == true
                else { return nil }
                return BlobColumn(
                    property: name(of: slot), table: table.tableName, column: stored.name,
                    owners: numbers(entity.index))
            }
        }
    }

    private var toManys: [(PropertySlot, ToManyStorage)] {
        declared { entity, table in
            table.toMany.sorted { $0.key < $1.key }.compactMap { index, storage in
                let slot = entity.slots[index]
                return slot.declaringEntity == entity.index ? (slot, storage) : nil
            }
        }
    }

    private func declared<Element>(_ body: (CompiledEntity, EntityTable) -> [Element]) -> [Element] {
        model.entities.flatMap { entity in schema[entity.index].map { body(entity, $0) } ?? [] }
    }

    private func name(of slot: PropertySlot) -> String { "\(model[slot.declaringEntity].name).\(slot.name)" }
}
