import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The difference that a migration in place is planned from: the schemas of the store and of the new model,
/// and the origins of the new model's rows, columns and join tables. An object, since all phases share it.
final class SchemaChange {
    let evolution: ModelEvolution
    let source: StoreSchema
    let target: NewStoreSchema
    let catalog: StoreCatalog
    let details: MigrationCatalog
    /// The transformed defaults, by entity and key path.
    let transformedDefaults: [String: Data]
    /// Whether unused columns and tables are only put aside, to be dropped later.
    let isDeferred: Bool
    let moves: EntityMoves
    let finder: TargetColumnFinder
    /// The tables of the new model, in the order in which a new store has them.
    let tables: [TargetTable]
    /// The join tables of the new model.
    let joins: [JoinOrigin]

    init(
        _ evolution: ModelEvolution, from source: StoreSchema, to target: NewStoreSchema,
        catalog: StoreCatalog, details: MigrationCatalog, transformedDefaults: [String: Data],
        isDeferred: Bool
    ) {
        self.evolution = evolution
        self.source = source
        self.target = target
        self.catalog = catalog
        self.details = details
        self.transformedDefaults = transformedDefaults
        self.isDeferred = isDeferred
        let moves = EntityMoves(evolution, from: source, to: target.schema, details.highestKeys)
        let finder = TargetColumnFinder(
            evolution: evolution, source: source, moves: moves, dialect: target.dialect)
        self.moves = moves
        self.finder = finder
        tables = target.tables.map { TargetTable($0, finder.columns(of: $0), moves) }
        joins = target.schema.joinTables.map { JoinOrigin(of: $0, in: target.schema, finder) }
    }

    var dialect: any SQLDialect { target.dialect }

    /// Returns the columns of a table of the new model.
    func columns(of table: SQLIdentifier) -> [TargetColumn] {
        tables.first { $0.name == table }?.columns ?? []
    }

    /// Returns the name of an entity of the new model.
    func name(of entity: EntityIndex) -> String { evolution.destination[entity].name }

    /// Returns the storage of a to-many relationship of the new model.
    func storage(of slot: PropertySlot) -> ToManyStorage? { target.schema.storage(of: slot) }

    /// Returns the condition that a row is of one of the entities, with ` WHERE `; empty if all rows of the
    /// table are.
    func rows(of entities: some Sequence<EntityIndex>, and condition: SQLText? = nil) -> SQLText {
        let wanted = Set(entities.filter { moves.moves[$0] != nil })
        let numbers = wanted.compactMap { target.schema[$0]?.number }.sorted()
        let table = wanted.first.flatMap { target.schema[$0]?.tableName }
        let isWhole = moves.moves.values.allSatisfy {
            $0.newTable != table || wanted.contains($0.destination)
        }
        let isOf: SQLText? = isWhole ? nil : .isOne(of: numbers, NameMangling.entity)
        let conditions = [isOf, condition].compactMap { $0 }
        return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }

    // MARK: The store

    /// The tables of the entities that the store has.
    var formerEntities: [EntityTable] { source.entities.compactMap { $0 } }

    /// The persistent relationships of the store, each with the table of the entity that declares it.
    var formerRelationships: [(table: EntityTable, slot: PropertySlot, relationship: RelationshipSlot)] {
        formerEntities.flatMap { table in
            evolution.source[table.entity].slots.compactMap { slot in
                guard slot.declaringEntity == table.entity, !slot.isTransient else { return nil }
                return slot.relationship.map { (table, slot, $0) }
            }
        }
    }

    /// Returns the columns of an entity of the store that may name files (sqlite-store §6).
    func externalColumns(of entity: EntityIndex) -> [(name: SQLIdentifier, slot: PropertySlot)] {
        guard dialect.keepsExternalFiles, let table = source[entity] else { return [] }
        return zip(table.columns, evolution.source[entity].columns)
            .filter { $1.attribute?.allowsExternalStorage ?? false }.map { ($0.name, $1) }
    }
}

extension StoreSchema {
    /// Returns the storage of a to-many relationship; nil for others.
    func storage(of slot: PropertySlot) -> ToManyStorage? {
        self[slot.declaringEntity]?.toMany[slot.index]
    }
}
