import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The queries on the unmigrated store for rows that will break a rule of the new model.
///
/// A query is nil if the columns of a row do not tell: for keys that change during the migration, and for
/// relationships whose links are stored on the other side.
struct PrecheckQueries {
    let change: SchemaChange

    /// Counts the rows that will have no value of a mandatory property.
    func rowsWithout(_ column: TargetColumn, _ slot: PropertySlot, of entity: EntityIndex) -> SQLFragment? {
        if case .value(_, let attribute, let path) = column.role,
            change.storedDefault(of: attribute, at: path, slot) != nil
        {
            return nil
        }
        guard let move = change.moves.moves[entity] else { return nil }
        guard let source = column.sources[entity] ?? nil else {
            return isFoundFromOtherSide(slot) ? nil : storedRows(of: move)
        }
        var conditions: [SQLText] = ["\(source.column) IS NULL"]
        if case .key = column.role, let gone = leadingNowhere(slot, of: entity) { conditions.append(gone) }
        return storedRows(of: move, where: conditions.joined(separator: " OR "))
    }

    /// Counts the rows whose number does not fit a narrower type.
    func rows(
        of entity: EntityIndex, with column: TargetColumn, outside range: (Int64, Int64)
    ) -> SQLFragment? {
        guard let move = change.moves.moves[entity], let source = column.sources[entity] ?? nil else {
            return nil
        }
        return storedRows(of: move, where: "\(storedValue(of: source)) NOT BETWEEN \(range.0) AND \(range.1)")
    }

    /// Counts the rows that have equal values under a uniqueness constraint.
    func rowsThatShare(_ properties: [String], of entity: CompiledEntity) -> SQLFragment? {
        guard let table = change.target.schema[entity.index] else { return nil }
        let columns = change.columns(of: table.tableName)
        let names = properties.compactMap { entity.slot(named: $0)?.column.map { table.columns[$0].name } }
        let shared = names.compactMap { name in columns.first { $0.name == name } }
        guard shared.count == properties.count else { return nil }
        var rows: [SQLFragment] = []
        for move in change.moves.moves.values.sorted(by: \.newNumber)
        where shared.allSatisfy({ $0.sources[move.destination] != nil }) {
            guard let values = futureValues(of: shared, in: move) else { return nil }
            rows.append("SELECT \(values) FROM \(move.oldTable) WHERE Z_ENT = \(move.oldNumber)")
        }
        if rows.isEmpty { return nil }
        let all = rows.joined(separator: " UNION ALL ")
        return SQLFragment(
            rowsThatShare(shared.indices.map { "v\($0)" }, in: change.dialect.nested(all.sql)),
            bindings: all.bindings)
    }

    /// Counts the rows of the migrated store that have equal values under a uniqueness constraint.
    func migratedRowsThatShare(_ properties: [String], of entity: CompiledEntity) -> SQLFragment? {
        guard let table = change.target.schema[entity.index] else { return nil }
        let names = properties.compactMap { entity.slot(named: $0)?.column.map { table.columns[$0].name } }
        guard names.count == properties.count else { return nil }
        return SQLFragment(rowsThatShare(names.map { "\($0)" }, in: "\(table.tableName)"))
    }

    private func rowsThatShare(_ values: [SQLText], in rows: SQLText) -> SQLText {
        let arePresent = values.map { "\($0) IS NOT NULL" as SQLText }.joined(separator: " AND ")
        let groups: SQLText = """
            SELECT COUNT(*) AS n FROM \(rows) \
            WHERE \(arePresent) GROUP BY \(values.joined(separator: ", ")) HAVING COUNT(*) > 1
            """
        let sum = change.dialect.aggregate(
            .sum, of: SQLOperand("n", .attribute(.integer64)), isDistinct: false)
        return "SELECT COALESCE(\(sum.sql), 0) FROM \(change.dialect.nested(groups))"
    }

    /// Counts all rows of an entity, or those for which a condition is true.
    func storedRows(of move: EntityMoves.Move, where condition: SQLText? = nil) -> SQLFragment {
        let rest: SQLText = condition.map { " AND (\($0))" } ?? ""
        return "SELECT COUNT(*) FROM \(move.oldTable) WHERE Z_ENT = \(move.oldNumber)\(rest)"
    }

    // MARK: Values

    /// Returns the value of a column of the store, in the type it will have.
    private func storedValue(of source: TargetColumn.Source) -> SQLText {
        source.value(source.column, in: change.dialect)
    }

    /// Returns `value AS v0, …`; nil if one of the values is not known.
    private func futureValues(of columns: [TargetColumn], in move: EntityMoves.Move) -> SQLFragment? {
        var values: [SQLFragment] = []
        for (position, column) in columns.enumerated() {
            guard let value = futureValue(of: column, in: move) else { return nil }
            values.append("\(value) AS v\(position)")
        }
        return values.joined(separator: ", ")
    }

    /// Returns the value that a column will have, computed from the unmigrated row.
    private func futureValue(of column: TargetColumn, in move: EntityMoves.Move) -> SQLFragment? {
        let source = column.sources[move.destination] ?? nil
        switch column.role {
        case .value(let slot, let attribute, let path):
            guard source != nil || attribute.derivation == nil else { return nil }
            let value = change.storedDefault(of: attribute, at: path, slot)
            guard let source else { return "\(bind: value ?? .null, as: .attribute(attribute.type))" }
            if source.conversion == .unmarked { return nil }
            let carried = SQLFragment(storedValue(of: source))
            guard let value, !slot.isOptional else { return carried }
            return "COALESCE(\(carried), \(bind: value, as: .attribute(attribute.type)))"
        case .key(let slot):
            guard change.moves.shifted.isEmpty, !isFoundFromOtherSide(slot) else { return nil }
            return SQLFragment(source.map(storedValue) ?? "NULL")
        case .entity, .order, .ownKey, .ownOrder: return nil
        }
    }

    // MARK: Relationships

    /// Returns whether a to-one relationship that is new is the other side of a to-many that the store has.
    private func isFoundFromOtherSide(_ slot: PropertySlot) -> Bool {
        let inverse = slot.relationship.flatMap(change.evolution.destination.inverse)
        return inverse.flatMap(change.finder.former) != nil
    }

    /// Returns the condition that a to-one relationship leads to an object whose entity is removed.
    private func leadingNowhere(_ slot: PropertySlot, of entity: EntityIndex) -> SQLText? {
        guard let former = change.evolution.origin(of: slot, in: entity),
            let relationship = former.relationship, let column = former.column,
            let table = change.moves.moves[entity].flatMap({ change.source[$0.source] }),
            let number = table.columns[column].entityColumn
        else { return nil }
        let family = change.evolution.source[relationship.destination].family
        let gone = change.moves.removed.filter(family.contains).compactMap { change.source[$0]?.number }
        return gone.isEmpty ? nil : .isOne(of: gone.sorted(), number)
    }
}
