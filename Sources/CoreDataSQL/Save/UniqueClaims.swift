import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The unique values that the inserted and updated rows of a change set will have, in the order of the rows.
struct UniqueClaims {
    /// The values of one constraint, and the rows that claim them: usually one.
    struct Claim {
        let constraint: Int
        /// The slots of the constraint in the first row's entity.
        let slots: [Int]
        let columns: [Int]
        let first: Snapshot
        fileprivate(set) var others: [Snapshot] = []

        var rows: [Snapshot] { [first] + others }
        var values: [AttributeValue] { columns.map(first.value) }
    }

    /// A constraint as columns of a table, which is the same for all entities in the table.
    struct Constraint: Hashable {
        let root: EntityIndex
        let table: SQLIdentifier
        let columns: [IndexedColumn]
        fileprivate let types: [BoundType]

        /// Returns the query for the key of the row that has given values.
        func holderQuery(in dialect: any QueryDialect) -> SQLText {
            guard columns.contains(where: \.isText) else {
                let conditions = zip(columns, types).map {
                    "\($0.name) = \(placeholder: .value($1))" as SQLText
                }
                return "SELECT Z_PK FROM \(table) WHERE \(conditions.joined(separator: " AND "))"
            }
            // Each value is bound once.
            let values = types.enumerated().map { "\(placeholder: .value($1)) AS v\($0)" as SQLText }
            let conditions = columns.enumerated().map { index, column in
                dialect.isEqual(column, "t.\(column.name)", "v.v\(index)")
            }
            return """
                SELECT t.Z_PK FROM \(table) t, (SELECT \(values.joined(separator: ", "))) v \
                WHERE \(conditions.joined(separator: " AND "))
                """
        }
    }

    /// Claimed values, read from the row that has them.
    private struct Wanted: Hashable {
        let constraint: Int
        let columns: [Int]
        let row: Snapshot

        static func == (left: Wanted, right: Wanted) -> Bool {
            guard left.constraint == right.constraint else { return false }
            return left.row.layout === right.row.layout
                ? left.columns.allSatisfy { left.row.isEqual($0, to: right.row) }
                : left.columns.map(left.row.value) == right.columns.map(right.row.value)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(constraint)
            for column in columns { row.value(column).hash(into: &hasher) }
        }
    }

    /// A constraint with its slots and columns in one entity.
    private struct Demand {
        let constraint: Int
        let slots: [Int]
        let columns: [Int]
    }

    private(set) var all: [Claim] = []
    private(set) var constraints: [Constraint] = []
    private let schema: StoreSchema
    private var demands: [EntityIndex: [Demand]] = [:]
    private var indices: [Wanted: Int] = [:]

    init(_ changes: ChangeSet, _ schema: StoreSchema) {
        self.schema = schema
        let count = changes.inserted.count + changes.updated.count
        all.reserveCapacity(count)
        indices.reserveCapacity(count)
        for row in changes.inserted.rows { add(row) }
        for update in changes.updated { add(update.proposed) }
    }

    private mutating func add(_ row: Snapshot) {
        // A null is equal to no value, so it violates no constraint.
        for demand in demands(of: row) where !demand.columns.contains(where: row.isNull) {
            let wanted = Wanted(constraint: demand.constraint, columns: demand.columns, row: row)
            if let index = indices[wanted] {
                all[index].others.append(row)
            } else {
                indices[wanted] = all.count
                all.append(
                    Claim(
                        constraint: demand.constraint, slots: demand.slots, columns: demand.columns,
                        first: row))
            }
        }
    }

    private mutating func demands(of row: Snapshot) -> [Demand] {
        if let known = demands[row.entity] { return known }
        var result: [Demand] = []
        let entity = row.layout.entity
        for slots in schema.constraints(of: entity) {
            let columns = slots.compactMap { entity.slots[$0].column }
            guard columns.count == slots.count, let table = schema[entity.index] else { continue }
            let constraint = Constraint(
                root: entity.root, table: table.tableName,
                columns: columns.flatMap { table.columns[$0].indexed() },
                types: slots.map { schema.columnType(of: entity.slots[$0]) })
            let known = constraints.firstIndex(of: constraint)
            if known == nil { constraints.append(constraint) }
            result.append(
                Demand(constraint: known ?? constraints.count - 1, slots: slots, columns: columns))
        }
        demands[row.entity] = result
        return result
    }
}
