import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

// Values: defaults of properties that are new or have become mandatory, and the rules of the new model that
// rows may break.
extension MigrationPlanner {
    mutating func fill(_ layout: TableLayout, _ columns: [TargetColumn]) {
        requireNoAbstractObjects(layout)
        for column in columns {
            switch column.role {
            case .value(let slot, let attribute, let path):
                guard attribute.derivation == nil else { continue }
                if path.isEmpty {
                    fillDefaults(column, slot, attribute, of: layout)
                    if !slot.isOptional { requireValues(column, slot, of: layout) }
                } else {
                    fillElement(column, slot, attribute, at: path, of: layout, columns)
                }
                requireRange(column, slot, attribute, at: path, of: layout)
            case .key(let slot):
                if !slot.isOptional { requireValues(column, slot, of: layout) }
            case .entity, .order, .ownKey, .ownOrder: break
            }
        }
    }

    /// Returns the entities whose rows get the default of a column: those that had no such column, and those
    /// that may have had no value in it.
    private func receivers(
        of column: TargetColumn
    ) -> (new: [EntityIndex], formerlyOptional: [EntityIndex]) {
        var (new, optional): ([EntityIndex], [EntityIndex]) = ([], [])
        for (entity, source) in column.sources where moves.moves[entity] != nil {
            guard !evolution.destination[entity].isAbstract else { continue }
            if let source {
                if source.isOptional { optional.append(entity) }
            } else {
                new.append(entity)
            }
        }
        return (new, optional)
    }

    /// Returns the default in the form that a column stores; nil if there is none.
    func storedDefault(of attribute: AttributeSlot, at path: [String], _ slot: PropertySlot) -> SQLValue? {
        let value: SQLValue?
        if attribute.type == .transformable {
            let key = ([name(of: slot.declaringEntity), slot.name] + path).joined(separator: ".")
            value = transformedDefaults[key].map(SQLValue.blob)
        } else {
            value = SQLValue(attribute.defaultValue)
        }
        guard let value, value != .null else { return nil }
        if attribute.allowsExternalStorage, case .blob(let data) = value { return .blob([1] + data) }
        return value
    }

    private mutating func fillDefaults(
        _ column: TargetColumn, _ slot: PropertySlot, _ attribute: AttributeSlot, of layout: TableLayout
    ) {
        guard let value = storedDefault(of: attribute, at: [], slot) else { return }
        let (new, optional) = receivers(of: column)
        let title = "give \(column.name) its default"
        if !new.isEmpty {
            plan.run(
                title, .scans(layout.name),
                "UPDATE \(layout.name) SET \(column.name) = \(bind: value)\(rows(of: new))")
        }
        guard !slot.isOptional, !optional.isEmpty else { return }
        noteChange(of: layout)
        let missing = rows(of: optional, and: "\(column.name) IS NULL")
        plan.run(
            title, .scans(layout.name), "UPDATE \(layout.name) SET \(column.name) = \(bind: value)\(missing)")
    }

    mutating func noteChange(of layout: TableLayout) {
        if let base = moves.bases[layout.name] { rebuilt.insert(base) }
    }

    // MARK: Rules

    private mutating func requireValues(_ column: TargetColumn, _ slot: PropertySlot, of layout: TableLayout)
    {
        let (new, optional) = receivers(of: column)
        for entity in (new + optional).sorted() {
            let missing = rows(of: [entity], and: "\(column.name) IS NULL")
            plan.require(
                .mandatory, name(of: entity), slot.name,
                none: "SELECT COUNT(*) FROM \(layout.name)\(missing)",
                precheck: rowsWithout(column, slot, of: entity))
        }
    }

    private mutating func requireRange(
        _ column: TargetColumn, _ slot: PropertySlot, _ attribute: AttributeSlot, at path: [String],
        of layout: TableLayout
    ) {
        let range: (Int64, Int64)
        switch attribute.type {
        case .integer16: range = (Int64(Int16.min), Int64(Int16.max))
        case .integer32: range = (Int64(Int32.min), Int64(Int32.max))
        default: return
        }
        for (entity, source) in column.sources.sorted(by: { $0.key < $1.key }) where source != nil {
            guard let former = finder.formerAttribute(at: path, of: slot, in: entity),
                former.type != attribute.type, former.type != .integer16, former.type != .boolean
            else { continue }
            let outside = rows(of: [entity], and: "\(column.name) NOT BETWEEN \(range.0) AND \(range.1)")
            plan.require(
                .range, name(of: entity), slot.name,
                none: "SELECT COUNT(*) FROM \(layout.name)\(outside)",
                precheck: rows(of: entity, with: column, outside: range))
        }
    }

    private mutating func requireNoAbstractObjects(_ layout: TableLayout) {
        for move in moves.moves.values.sorted(by: { $0.newNumber < $1.newNumber })
        where move.newTable == layout.name && evolution.destination[move.destination].isAbstract
            && !evolution.source[move.source].isAbstract
        {
            plan.require(
                .abstract, name(of: move.destination), nil,
                none: "SELECT COUNT(*) FROM \(layout.name) WHERE Z_ENT = \(move.newNumber)",
                precheck: storedRows(of: move))
        }
    }
}
