package import CoreDataModelFormat
package import CoreDataValues

/// Tables and columns of a store, by entity and property (sqlite-store §3-§8). Computed from the model for a new
/// store, probed from the file for an existing one.
package struct StoreSchema: Sendable {
    package let model: CompiledModel
    /// By entity index; nil for an entity the store does not hold (configurations).
    package let entities: [EntityTable?]
    package let entityByNumber: [Int64: EntityIndex]
    package let joinTables: [JoinTable]
    /// The full-text indexes that queries may use, by the table they are about.
    package var searchTables: [SQLIdentifier: SearchTable] = [:]
    /// The R-trees that queries may use, by name.
    package var spatialTables: Set<SQLIdentifier> = []

    package init(model: CompiledModel, entities: [EntityTable?], joinTables: [JoinTable]) {
        self.model = model
        self.entities = entities
        self.entityByNumber = Dictionary(
            entities.compactMap { table in table.map { ($0.number, $0.entity) } },
            uniquingKeysWith: { first, _ in first })
        self.joinTables = joinTables
    }

    package subscript(_ entity: EntityIndex) -> EntityTable? { entities[Int(entity)] }
}

/// How one entity is stored: a table shared by its whole inheritance tree.
package struct EntityTable: Sendable {
    package let entity: EntityIndex
    /// Z_ENT.
    package let number: Int64
    package let tableName: SQLIdentifier
    /// By column of the packed row.
    package let columns: [StoredColumn]
    /// Columns of the packed row that have an order column, as these stand in the table.
    package let orderColumns: [Int]
    /// By slot index, for persistent to-many relationships.
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
package struct StoredElement: Sendable, Hashable {
    /// The names that lead to it.
    package let path: [String]
    package let name: SQLIdentifier
    package let type: AttributeType
}

/// The database columns of one column of a row.
package struct StoredColumn: Sendable, Hashable {
    /// Slot index of the property.
    package let slot: Int
    /// Of a composite attribute, the first of its elements' columns.
    package let name: SQLIdentifier
    /// `VARCHAR`, `INTEGER`, `TIMESTAMP`, …
    package let declaredType: SQLText
    /// `Z<n>_NAME`, the entity number of a to-one destination that has subentities.
    package let entityColumn: SQLIdentifier?
    /// `Z_FOK_NAME`, the position in the ordered to-many on the other side.
    package let orderColumn: SQLIdentifier?
    /// Of a composite attribute, which has no column of its own.
    package let elements: [StoredElement]

    package init(
        slot: Int,
        name: SQLIdentifier,
        declaredType: SQLText,
        entityColumn: SQLIdentifier? = nil,
        orderColumn: SQLIdentifier? = nil,
        elements: [StoredElement] = []
    ) {
        self.slot = slot
        self.name = name
        self.declaredType = declaredType
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.elements = elements
    }

    /// The columns that hold the value: one, or one for each element.
    package var valueNames: [SQLIdentifier] { elements.isEmpty ? [name] : elements.map(\.name) }
}

/// Where the members of a to-many are found.
package enum ToManyStorage: Sendable, Hashable {
    /// In a column of the destination's table: the inverse to-one, or a column of its own without inverse
    /// (`isOwn`: no property of the destination shows it).
    case foreignKey(table: SQLIdentifier, column: SQLIdentifier, orderColumn: SQLIdentifier?, isOwn: Bool)
    /// In a join table, seen from the owner.
    case join(
        table: SQLIdentifier, ownerColumn: SQLIdentifier, memberColumn: SQLIdentifier,
        orderColumn: SQLIdentifier?, isReflexive: Bool)
}

/// A many-to-many table (sqlite-store §8).
package struct JoinTable: Sendable, Hashable {
    package let name: SQLIdentifier
    package let firstColumn: SQLIdentifier
    package let secondColumn: SQLIdentifier
    /// Order columns, after the two keys.
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

    var definition: SQLFragment {
        let columns = ([firstColumn, secondColumn] + orderColumns).map { "\($0) INTEGER" as SQLText }
        return """
            CREATE TABLE \(name) ( \(columns.joined(separator: ", ")), \
            PRIMARY KEY (\(firstColumn), \(secondColumn)) )
            """
    }
}
