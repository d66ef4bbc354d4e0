package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

extension StoreSchema {
    /// Counts the objects of each entity, without those of its subentities.
    package func objectCounts(on connection: any SQLConnection) throws(SQLError) -> [EntityIndex: Int] {
        var result: [EntityIndex: Int] = [:]
        for table in Set(entities.compactMap { $0?.tableName }).sorted() {
            let query = SQLFragment("SELECT Z_ENT, COUNT(*) FROM \(table) GROUP BY Z_ENT")
            try connection.forEachRow(of: query) { row throws(SQLError) in
                if let entity = entity(numbered: row.integer(at: 0)), self[entity]?.tableName == table {
                    result[entity] = Int(row.integer(at: 1))
                }
            }
        }
        return result
    }

    /// Counts the pairs of a relationship between objects of one entity, without its subentities, and members
    /// of the given entities.
    func pairCount(
        of slot: PropertySlot, in entity: EntityIndex, _ members: [EntityIndex], oncePerMember: Bool,
        _ dialect: any QueryDialect, on connection: any SQLConnection
    ) throws(SQLError) -> Int {
        let present = members.compactMap { self[$0] }
        guard let owner = self[entity], let destination = present.first else { return 0 }
        let links: SQLText
        if let column = slot.column {
            links = "SELECT Z_PK AS o, \(owner.columns[column].name) AS m FROM \(owner.tableName)"
        } else {
            switch owner.toMany[slot.index] {
            case .foreignKey(let table, let column, _, _):
                links = "SELECT \(column) AS o, Z_PK AS m FROM \(table)"
            case .join(let table, let owner, let member, _, let isReflexive):
                let pairs: SQLText = "SELECT \(owner) AS o, \(member) AS m FROM \(table)"
                links = isReflexive ? pairs + " UNION SELECT \(member), \(owner) FROM \(table)" : pairs
            case nil: return 0
            }
        }
        let counted: SQLText = oncePerMember ? "DISTINCT l.m" : "*"
        let numbers = present.map(\.number).sorted().listed()
        let join = dialect.joinAfterwards
        return try connection.count(
            SQLFragment(
                """
                SELECT COUNT(\(counted)) FROM (\(links)) l \(join) \(owner.tableName) o ON o.Z_PK = l.o \
                \(join) \(destination.tableName) d ON d.Z_PK = l.m \
                WHERE o.Z_ENT = \(owner.number) AND d.Z_ENT IN (\(numbers))
                """))
    }
}

/// The counting of objects and pairs of a schema on one connection.
package struct SchemaCount: ObjectCounting {
    private let schema: StoreSchema
    private let dialect: any QueryDialect
    private let connection: any SQLConnection
    private let path: String?

    package init(
        _ schema: StoreSchema, _ dialect: any QueryDialect, on connection: any SQLConnection, path: String?
    ) {
        self.schema = schema
        self.dialect = dialect
        self.connection = connection
        self.path = path
    }

    package func objectCounts() throws(StoreError) -> [EntityIndex: Int] {
        do throws(SQLError) {
            return try schema.objectCounts(on: connection)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    package func pairCount(
        of slot: PropertySlot, in entity: EntityIndex, _ members: [EntityIndex], oncePerMember: Bool
    ) throws(StoreError) -> Int {
        do throws(SQLError) {
            return try schema.pairCount(
                of: slot, in: entity, members, oncePerMember: oncePerMember, dialect, on: connection)
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

extension SQLBackend: ObjectCounting {
    package func objectCounts() throws(StoreError) -> [EntityIndex: Int] {
        try read(.latest) { connection throws(SQLError) in try schema.objectCounts(on: connection) }
    }

    package func pairCount(
        of slot: PropertySlot, in entity: EntityIndex, _ members: [EntityIndex], oncePerMember: Bool
    ) throws(StoreError) -> Int {
        try read(.latest) { connection throws(SQLError) in
            try schema.pairCount(
                of: slot, in: entity, members, oncePerMember: oncePerMember, compiler.dialect, on: connection)
        }
    }
}
