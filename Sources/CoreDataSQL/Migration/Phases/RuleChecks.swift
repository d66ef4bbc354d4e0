import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The queries for rows that break a rule of the new model, a part of `ValueFill`.
struct RuleChecks {
    let change: SchemaChange

    private var prechecks: PrecheckQueries { PrecheckQueries(change: change) }

    /// Requires a value of a mandatory property, in rows of entities that may have none.
    func requireValues(
        _ column: TargetColumn, _ slot: PropertySlot, of table: TargetTable, _ plan: inout MigrationPlan
    ) {
        let (new, optional) = change.receivers(of: column)
        for entity in (new + optional).sorted() {
            let missing = change.rows(of: [entity], and: "\(column.name) IS NULL")
            plan.require(
                .mandatory, change.name(of: entity), slot.name,
                none: "SELECT COUNT(*) FROM \(table.name)\(missing)",
                precheck: prechecks.rowsWithout(column, slot, of: entity))
        }
    }

    /// Requires that numbers fit a type that has become narrower.
    func requireRange(
        _ column: TargetColumn, _ slot: PropertySlot, _ attribute: AttributeSlot, at path: [String],
        of table: TargetTable, _ plan: inout MigrationPlan
    ) {
        let range: (Int64, Int64)
        switch attribute.type {
        case .integer16: range = (Int64(Int16.min), Int64(Int16.max))
        case .integer32: range = (Int64(Int32.min), Int64(Int32.max))
        default: return
        }
        for (entity, source) in column.sources.sorted(by: \.key) where source != nil {
            guard let former = change.finder.formerAttribute(at: path, of: slot, in: entity),
                former.type != attribute.type, former.type != .integer16, former.type != .boolean
            else { continue }
            let outside = change.rows(
                of: [entity], and: "\(column.name) NOT BETWEEN \(range.0) AND \(range.1)")
            plan.require(
                .range, change.name(of: entity), slot.name,
                none: "SELECT COUNT(*) FROM \(table.name)\(outside)",
                precheck: prechecks.rows(of: entity, with: column, outside: range))
        }
    }

    /// Requires that entities which have become abstract have no objects.
    func requireNoAbstractObjects(in table: TargetTable, _ plan: inout MigrationPlan) {
        let (source, destination) = (change.evolution.source, change.evolution.destination)
        for move in change.moves.moves.values.sorted(by: \.newNumber)
        where move.newTable == table.name && destination[move.destination].isAbstract
            && !source[move.source].isAbstract
        {
            plan.require(
                .abstract, change.name(of: move.destination), nil,
                none: "SELECT COUNT(*) FROM \(table.name) WHERE Z_ENT = \(move.newNumber)",
                precheck: prechecks.storedRows(of: move))
        }
    }
}
