import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The columns that a statement selects to read whole rows of some entities of one table: Z_PK, Z_ENT and
/// Z_OPT, then `names`.
struct RowColumns {
    private(set) var names: [SQLIdentifier] = []
    private var position: [SQLIdentifier: Int32] = [:]
    private let schema: StoreSchema
    private let family: Range<EntityIndex>

    init(_ schema: StoreSchema, family: Range<EntityIndex>) {
        self.schema = schema
        self.family = family
        for entity in family {
            guard let table = schema[entity] else { continue }
            for column in table.columns {
                for name in column.valueNames { add(name) }
                if let entityColumn = column.entityColumn { add(entityColumn) }
            }
        }
    }

    private mutating func add(_ name: SQLIdentifier) {
        guard position[name] == nil else { return }
        position[name] = Int32(3 + names.count)
        names.append(name)
    }

    private func composites(of table: EntityTable) -> [ResultPlan.CompositePlan] {
        table.columns.enumerated().compactMap { column, stored in
            guard !stored.elements.isEmpty else { return nil }
            return ResultPlan.CompositePlan(
                column: column,
                elements: stored.elements.map {
                    .init(path: $0.path, type: $0.type, source: position[$0.name] ?? -1)
                })
        }
    }

    /// Returns the destination of a to-one column; nil for other columns.
    private func destination(of column: StoredColumn, in entity: EntityIndex) -> ResultPlan.Destination? {
        guard let relationship = schema.model[entity].slots[column.slot].relationship else { return nil }
        return ResultPlan.Destination(
            entitySource: column.entityColumn.flatMap { position[$0] } ?? -1,
            family: schema.model[relationship.destination].family)
    }

    /// Returns the plan that decodes these rows.
    func plan(_ layouts: RowLayouts) -> ResultPlan {
        let tables = schema.entities.compactMap { $0 }
        let count = Int(tables.map(\.number).max() ?? 0) + 1
        var plans = [ResultPlan.EntityPlan?](repeating: nil, count: count)
        var indexes = [Int32](repeating: -1, count: count)
        for table in tables.reversed() { indexes[Int(table.number)] = table.entity }
        for entity in family {
            guard let table = schema[entity] else { continue }
            plans[Int(table.number)] = ResultPlan.EntityPlan(
                layout: layouts[entity],
                sources: table.columns.map { $0.elements.isEmpty ? position[$0.name] ?? -1 : -1 },
                destinations: table.columns.map { destination(of: $0, in: entity) },
                composites: composites(of: table))
        }
        return ResultPlan(byEntityNumber: plans, entityIndexByNumber: indexes)
    }
}
