package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The tables and columns of a store, by entity and property (sqlite-store §3-§8).
///
/// It is computed from the model for a new store, and probed from the file for an existing one.
package struct StoreSchema: Sendable {
    package let model: CompiledModel
    /// The tables by entity index; nil for an entity that the store does not hold, as in a configuration.
    package let entities: [EntityTable?]
    private let entityByNumber: [Int64: EntityIndex]
    package let joinTables: [JoinTable]
    /// The full-text indexes that queries may use, by the table whose rows they index.
    package var searchTables: [SQLIdentifier: SearchTable] = [:]
    /// The R-trees that queries may use, by name.
    package var spatialTables: Set<SQLIdentifier> = []
    /// Whether large values of attributes with external storage lie in files, whose names are in the columns
    /// (sqlite-store §6).
    package var keepsExternalFiles = true

    package init(model: CompiledModel, entities: [EntityTable?], joinTables: [JoinTable]) {
        self.model = model
        self.entities = entities
        self.entityByNumber = Dictionary(
            entities.compactMap { table in table.map { ($0.number, $0.entity) } },
            uniquingKeysWith: { first, _ in first })
        self.joinTables = joinTables
    }

    package subscript(_ entity: EntityIndex) -> EntityTable? { entities[Int(entity)] }

    /// The entities that the store has, by their numbers.
    package var tablesByNumber: [EntityTable] {
        entities.compactMap { $0 }.sorted(by: \.number)
    }

    /// Returns the table of an entity. Throws if the store does not have the entity.
    package func table(of entity: EntityIndex) throws(StoreError) -> EntityTable {
        if let table = self[entity] { return table }
        throw StoreError(.unsupported, "entity \(model[entity].name) is not in this store")
    }

    /// Returns the columns of a property. Throws if it has none.
    func column(of slot: PropertySlot, in entity: EntityIndex) throws(StoreError) -> StoredColumn {
        let table = try table(of: entity)
        if let column = slot.column, table.columns.indices.contains(column) { return table.columns[column] }
        throw StoreError(
            .unsupported, "\(model[entity].name).\(slot.name) has no column in \(table.tableName)")
    }

    /// Returns the type of a property's column.
    func columnType(of slot: PropertySlot) -> BoundType {
        if let relationship = slot.relationship { return .reference(relationship.destination) }
        guard let attribute = slot.attribute else { return .unknown }
        return keepsExternalFiles && attribute.allowsExternalStorage
            ? .externalData : .attribute(attribute.type)
    }

    /// Returns the columns of the packed row whose values may lie in files.
    package func externalColumns(of entity: EntityIndex) -> [Int] {
        keepsExternalFiles ? model[entity].externalColumns : []
    }

    /// Returns the entity of a Z_ENT; nil if the store has none of this number.
    package func entity(numbered number: Int64) -> EntityIndex? { entityByNumber[number] }

    /// Returns the entity of a Z_ENT; nil if it is not of this family, since a damaged file may contain any
    /// number.
    package func entity(numbered number: Int64, in family: Range<EntityIndex>) -> EntityIndex? {
        guard let entity = entityByNumber[number], family.contains(entity) else { return nil }
        return entity
    }
}

/// The storage of one entity, in a table shared by its whole inheritance tree.
package struct EntityTable: Sendable {
    package let entity: EntityIndex
    /// The entity number, Z_ENT.
    package let number: Int64
    package let tableName: SQLIdentifier
    /// The database columns, by column of the packed row.
    package let columns: [StoredColumn]
    /// The columns of the packed row that have an order column, in the order of the table.
    package let orderColumns: [Int]
    /// The storage of persistent to-many relationships, by slot index.
    package let toMany: [Int: ToManyStorage]

    package init(
        entity: EntityIndex,
        number: Int64,
        tableName: SQLIdentifier,
        columns: [StoredColumn],
        orderColumns: [Int] = [],
        toMany: [Int: ToManyStorage]
    ) {
        self.entity = entity
        self.number = number
        self.tableName = tableName
        self.columns = columns
        self.orderColumns = orderColumns
        self.toMany = toMany
    }
}

/// The column of one element of a composite attribute.
package struct StoredElement: Sendable, Equatable {
    /// The names that lead to the element.
    package let path: [String]
    package let name: SQLIdentifier
    package let type: AttributeType
    /// Whether an index has the beginning of the element's texts, not all of them.
    package let isIndexedText: Bool
}

/// The database columns of one column of a row.
package struct StoredColumn: Sendable, Equatable {
    /// The slot index of the property.
    package let slot: Int
    /// The name; for a composite attribute, that of the first of its elements' columns.
    package let name: SQLIdentifier
    /// The column `Z<n>_NAME` of the entity number, for a to-one whose destination has subentities.
    package let entityColumn: SQLIdentifier?
    /// The column `Z_FOK_NAME` of the position in the ordered to-many on the other side.
    package let orderColumn: SQLIdentifier?
    /// The elements of a composite attribute, which has no column of its own; otherwise empty.
    package let elements: [StoredElement]
    /// Whether an index has the beginning of the texts, not all of them.
    package let isIndexedText: Bool

    package init(
        slot: Int,
        name: SQLIdentifier,
        entityColumn: SQLIdentifier? = nil,
        orderColumn: SQLIdentifier? = nil,
        elements: [StoredElement] = [],
        isIndexedText: Bool = false
    ) {
        self.slot = slot
        self.name = name
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.elements = elements
        self.isIndexedText = isIndexedText
    }

    /// The columns that hold the value: one, or one for each element.
    package var valueNames: [SQLIdentifier] { elements.isEmpty ? [name] : elements.map(\.name) }
}

/// The place where a store keeps the members of a to-many.
package enum ToManyStorage: Sendable, Equatable {
    /// A column of the destination's table: the inverse to-one, or without an inverse a column of its own
    /// (`isOwn`), which no property of the destination shows.
    case foreignKey(table: SQLIdentifier, column: SQLIdentifier, orderColumn: SQLIdentifier?, isOwn: Bool)
    /// A join table, seen from the owner.
    case join(
        table: SQLIdentifier, ownerColumn: SQLIdentifier, memberColumn: SQLIdentifier,
        orderColumn: SQLIdentifier?, isReflexive: Bool)
}

/// A many-to-many table (sqlite-store §8).
package struct JoinTable: Sendable, Equatable {
    package let name: SQLIdentifier
    package let firstColumn: SQLIdentifier
    package let secondColumn: SQLIdentifier
    /// The order columns, in the order of the table, after the two keys.
    package let orderColumns: [SQLIdentifier]
    /// The relationship whose name the table bears.
    package let master: EntityIndex
    package let masterSlot: Int

    package init(
        name: SQLIdentifier,
        firstColumn: SQLIdentifier,
        secondColumn: SQLIdentifier,
        orderColumns: [SQLIdentifier],
        master: EntityIndex,
        masterSlot: Int
    ) {
        self.name = name
        self.firstColumn = firstColumn
        self.secondColumn = secondColumn
        self.orderColumns = orderColumns
        self.master = master
        self.masterSlot = masterSlot
    }

    func definition(in dialect: any SchemaDialect) -> SQLFragment {
        let columns = ([firstColumn, secondColumn] + orderColumns).map {
            "\($0) \(dialect.type(of: .number))" as SQLText
        }
        return """
            CREATE TABLE \(name) ( \(columns.joined(separator: ", ")), \
            PRIMARY KEY (\(firstColumn), \(secondColumn)) )
            """
    }
}
