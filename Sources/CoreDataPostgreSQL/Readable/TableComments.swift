import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The comments on the tables and columns of a store, which tell what they hold in the words of the model.
struct TableComments {
    private let schema: StoreSchema
    private var statements: [SQLText] = []

    init(_ schema: StoreSchema) {
        self.schema = schema
        for (table, comment) in Self.bookkeeping { add("TABLE \(SQLIdentifier(table))", comment) }
        for table in schema.tablesByNumber {
            if schema.model[table.entity].root == table.entity { addTable(table) }
            addColumns(table)
        }
        for join in schema.joinTables { add(join) }
    }

    /// Sets the comments, in one round trip.
    func set(on session: Session) throws(SQLError) {
        try session.execute(statements.joined(separator: "; "))
    }

    private static let bookkeeping = [
        ("Z_METADATA", "The version and the metadata of the store, a property list"),
        ("Z_MODELCACHE", "The model of the store"),
        ("Z_PRIMARYKEY", "The entities: z_ent is a number in the tables, z_super that of the superentity"),
    ]

    private mutating func add(_ thing: SQLText, _ comment: String) {
        statements.append("COMMENT ON \(thing) IS \(quoting: comment)")
    }

    private mutating func addTable(_ table: EntityTable) {
        let family = schema.model[table.entity].family.map { schema.model[$0].name }
        add("TABLE \(table.tableName)", "The objects of \(family.joined(separator: ", "))")
        let common: [(SQLText, String)] = [
            ("Z_PK", "The key of the object"), ("Z_ENT", "The entity of the object (z_primarykey)"),
            ("Z_OPT", "The version of the object, which each change has to raise by 1"),
        ]
        for (column, comment) in common { add("COLUMN \(table.tableName).\(column)", comment) }
    }

    /// Adds the columns of the properties that an entity itself declares.
    private mutating func addColumns(_ table: EntityTable) {
        let entity = schema.model[table.entity]
        for (slot, column) in zip(entity.columns, table.columns) where slot.declaringEntity == entity.index {
            let property = "\(entity.name).\(slot.name)"
            if let attribute = slot.attribute {
                if column.elements.isEmpty {
                    add(column.name, table.tableName, "\(property): \(Self.description(of: attribute.type))")
                }
                for element in column.elements {
                    let path = ([property] + element.path).joined(separator: ".")
                    add(element.name, table.tableName, "\(path): \(Self.description(of: element.type))")
                }
            } else if let relationship = slot.relationship {
                let destination = schema.model[relationship.destination].name
                add(column.name, table.tableName, "\(property): key of the \(destination)")
                if let name = column.entityColumn {
                    add(name, table.tableName, "\(property): entity of the \(destination)")
                }
                if let name = column.orderColumn, let inverse = schema.model.inverse(of: relationship) {
                    add(name, table.tableName, "Position in \(destination).\(inverse.name)")
                }
            }
        }
        for slot in entity.slots where slot.declaringEntity == entity.index {
            guard case .foreignKey(let other, let column, let order, true)? = table.toMany[slot.index] else {
                continue
            }
            add(column, other, "Key of the \(entity.name) that has the object in \(slot.name)")
            if let order { add(order, other, "Position in \(entity.name).\(slot.name)") }
        }
    }

    private mutating func add(_ column: SQLIdentifier, _ table: SQLIdentifier, _ comment: String) {
        add("COLUMN \(table).\(column)", comment)
    }

    private mutating func add(_ join: JoinTable) {
        let entity = schema.model[join.master]
        let slot = entity.slots[join.masterSlot]
        let property = "\(entity.name).\(slot.name)"
        guard let relationship = slot.relationship,
            case .join(_, let owner, let member, let order, _)? = schema[join.master]?.toMany[join.masterSlot]
        else { return }
        add("TABLE \(join.name)", "The pairs of \(property)")
        add(owner, join.name, "Key of the \(entity.name)")
        add(member, join.name, "Key of the \(schema.model[relationship.destination].name)")
        if let order { add(order, join.name, "Position in \(property)") }
        if let inverse = schema.model.inverse(of: relationship),
            case .join(_, _, _, let order?, false)? = schema[inverse.declaringEntity]?.toMany[inverse.index]
        {
            let other = schema.model[inverse.declaringEntity].name
            add(order, join.name, "Position in \(other).\(inverse.name)")
        }
    }

    private static func description(of type: AttributeType) -> String {
        let name = type.editorName ?? "Undefined"
        return switch type {
        case .date: "\(name), seconds since 2001-01-01 00:00 UTC"
        case .boolean: "\(name), 0 or 1"
        default: name
        }
    }
}
