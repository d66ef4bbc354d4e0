import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The compiler of the triggers that keep derived attributes (sqlite-store §10), entity by entity.
///
/// Counts over a foreign key and copies through a to-one have the text that Apple's framework writes. Where
/// that is not known (`now()`, sums, counts over a join table), the triggers are plain SQL that Apple's
/// framework can run, too.
struct TriggerCompiler {
    private let schema: StoreSchema
    private let entity: CompiledEntity
    private let table: EntityTable

    init(schema: StoreSchema, entity: CompiledEntity, table: EntityTable) {
        self.schema = schema
        self.entity = entity
        self.table = table
    }

    func statements() throws(StoreError) -> [SQLFragment] {
        var result: [SQLFragment] = []
        for slot in entity.columns
        where slot.declaringEntity == entity.index && slot.attribute?.derivation != nil {
            guard let column = slot.column, let derivation = Derivation(slot, of: entity, in: schema.model)
            else { throw Derivation.unsupported(slot, of: entity) }
            let target = DerivedTarget(
                table: table.tableName, entity: entity.name, attribute: slot.name,
                column: table.columns[column].name, rows: rows)
            let triggers = statements(derivation, target)
            if case .text = derivation { continue }
            if triggers.isEmpty { throw Derivation.unsupported(slot, of: entity) }
            result += triggers
        }
        return result
    }

    /// Returns the SQL that computes the derived value of a row anew; nil if the attribute cannot be derived.
    ///
    /// - Parameter row: The name of the row in the statement: that of its table, or `NEW`.
    func value(of slot: PropertySlot, inRow row: SQLText) -> SQLText? {
        switch Derivation(slot, of: entity, in: schema.model) {
        case .now: "\(SQLFunctionNames.now)()"
        case .count(let relationship): count(relationship, ofRow: row)
        case .sum(let relationship, let attribute): sum(relationship, attribute, ofRow: row)
        case .copy(let relationship, let attribute): copy(relationship, attribute, inRow: row)
        case .text(let form, let attribute):
            attribute.column.map { "\(form.function)(\(row).\(table.columns[$0].name))" }
        case nil: nil
        }
    }

    /// Returns a table as a sub-select names it, and the prefix of its columns: an alias if the row outside
    /// is of the same table.
    private static func inner(_ table: SQLIdentifier, besideRow row: SQLText) -> (
        from: SQLText, prefix: SQLText
    ) {
        row == "\(table)" ? ("\(table) d", "d.") : ("\(table)", "")
    }

    /// The condition that a row is of the entity; nil for a root entity. A table has the rows of a whole
    /// inheritance tree, and those of other entities have nothing to derive.
    private var rows: SQLText? {
        guard entity.superentity != nil else { return nil }
        let numbers = entity.family.compactMap { schema[$0]?.number }.sorted()
        return "NEW.Z_ENT IN (\(numbers.listed()))"
    }

    private func statements(_ derivation: Derivation, _ target: DerivedTarget) -> [SQLFragment] {
        switch derivation {
        case .now: now(target)
        case .count(let relationship): count(relationship, target)
        case .sum(let relationship, let attribute): sum(relationship, attribute, target)
        case .copy(let relationship, let attribute): copy(relationship, attribute, target)
        // Apple's functions for these are not known; the save computes them (`DerivedTexts`).
        case .text: []
        }
    }

    // MARK: now()

    private func now(_ target: DerivedTarget) -> [SQLFragment] {
        let value: SQLText = "\(SQLFunctionNames.now)()"
        return [
            target.sourceInsert(value),
            target.trigger(
                on: target.table, "SOURCE_UPDATE", "UPDATE OF Z_OPT", when: target.rows,
                set: value, where: "Z_PK = NEW.Z_PK"),
        ]
    }

    // MARK: Counts

    /// Returns the table that has a row for each member, and its column with the owner's key.
    private func members(of relationship: PropertySlot) -> (table: SQLIdentifier, key: SQLIdentifier)? {
        switch table.toMany[relationship.index] {
        case .foreignKey(let member, let key, _, _): (member, key)
        case .join(let join, let owner, _, _, _): (join, owner)
        case nil: nil
        }
    }

    private func count(_ relationship: PropertySlot, ofRow row: SQLText) -> SQLText? {
        if let join = ReflexiveJoin(relationship, of: table) {
            return "(SELECT COUNT(*) FROM (\(join.partners(of: "\(row).Z_PK"))))"
        }
        guard let (member, key) = members(of: relationship) else { return nil }
        let (from, name) = Self.inner(member, besideRow: row)
        return "(SELECT IFNULL(COUNT(\(name)\(key)), 0) FROM \(from) WHERE \(name)\(key) = \(row).Z_PK)"
    }

    private func count(_ relationship: PropertySlot, _ target: DerivedTarget) -> [SQLFragment] {
        if let join = ReflexiveJoin(relationship, of: table),
            let initial = count(relationship, ofRow: "NEW"),
            let total = count(relationship, ofRow: "\(target.table)")
        {
            return statements(join, total, initial, target)
        }
        guard let (member, key) = members(of: relationship), let initial = count(relationship, ofRow: "NEW")
        else { return [] }
        let (new, old): (SQLText, SQLText) = ("NEW.\(key)", "OLD.\(key)")
        func trigger(_ name: String, _ event: SQLText, _ owner: SQLText, _ value: SQLText) -> SQLFragment {
            target.trigger(
                on: member, name, event, when: "\(owner) NOT NULL", set: value, where: "Z_PK = \(owner)")
        }
        // The initial count of a row that is a member of itself includes it.
        let isOther: SQLText = member == table.tableName ? " AND \(new) <> NEW.Z_PK" : ""
        let (more, less): (SQLText, SQLText) = ("\(target.column) + 1", "\(target.column) - 1")
        return [
            target.trigger(
                on: member, "PARAMETER_INSERT", "INSERT", when: "\(new) NOT NULL\(isOther)",
                set: "IFNULL(\(target.column), 0) + 1", where: "Z_PK = \(new)"),
            trigger("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(key)", new, more),
            trigger("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", old, less),
            trigger("PARAMETER_DELETE", "DELETE", old, less),
            target.sourceInsert(initial),
        ]
    }

    // MARK: Sums

    private func sum(_ relationship: PropertySlot, _ attribute: PropertySlot, ofRow row: SQLText) -> SQLText?
    {
        guard let value = columnName(attribute, of: relationship) else { return nil }
        if let join = ReflexiveJoin(relationship, of: table) {
            return "(SELECT IFNULL(SUM(d.\(value)), 0) FROM \(table.tableName) d "
                + "WHERE d.Z_PK IN (\(join.partners(of: "\(row).Z_PK"))))"
        }
        switch table.toMany[relationship.index] {
        case .foreignKey(let member, let key, _, _):
            let (from, name) = Self.inner(member, besideRow: row)
            return "(SELECT IFNULL(SUM(\(name)\(value)), 0) FROM \(from) WHERE \(name)\(key) = \(row).Z_PK)"
        case .join(let join, let owner, let member, _, _):
            guard let destination = destination(of: relationship) else { return nil }
            return "(SELECT IFNULL(SUM(d.\(value)), 0) FROM \(join) j JOIN \(destination.tableName) d "
                + "ON d.Z_PK = j.\(member) WHERE j.\(owner) = \(row).Z_PK)"
        case nil: return nil
        }
    }

    private func sum(
        _ relationship: PropertySlot,
        _ attribute: PropertySlot,
        _ target: DerivedTarget
    ) -> [SQLFragment] {
        guard let (members, key) = members(of: relationship),
            let initial = sum(relationship, attribute, ofRow: "NEW"),
            let value = columnName(attribute, of: relationship),
            let total = sum(relationship, attribute, ofRow: "\(target.table)")
        else { return [] }
        if let join = ReflexiveJoin(relationship, of: table) {
            let change = target.trigger(
                on: table.tableName, "PARAMETER_UPDATE", "UPDATE OF \(value)", set: total,
                where: "Z_PK IN (\(join.partners(of: "NEW.Z_PK")))")
            return statements(join, total, initial, target) + [change]
        }
        func trigger(_ name: String, _ event: SQLText, _ owner: SQLText) -> SQLFragment {
            target.trigger(
                on: members, name, event, when: "\(owner) NOT NULL", set: total, where: "Z_PK = \(owner)")
        }
        let (new, old): (SQLText, SQLText) = ("NEW.\(key)", "OLD.\(key)")
        var watched: SQLText = "\(key)"
        var result: [SQLFragment] = []
        if case .join(_, _, let member, _, _) = table.toMany[relationship.index] {
            guard let destination = destination(of: relationship) else { return [] }
            watched += ", \(member)"
            result.append(
                target.trigger(
                    on: destination.tableName, "PARAMETER_UPDATE", "UPDATE OF \(value)", set: total,
                    where: "Z_PK IN (SELECT \(key) FROM \(members) WHERE \(member) = NEW.Z_PK)"))
        } else {
            watched += ", \(value)"
        }
        return [
            trigger("PARAMETER_INSERT", "INSERT", new),
            trigger("PARAMETER_UPDATE_INCREMENT", "UPDATE OF \(watched)", new),
            trigger("PARAMETER_UPDATE_DECREMENT", "UPDATE OF \(key)", old),
            trigger("PARAMETER_DELETE", "DELETE", old),
        ] + result + [target.sourceInsert(initial)]
    }

    // MARK: Copies

    private func copy(_ relationship: PropertySlot, _ attribute: PropertySlot, inRow row: SQLText) -> SQLText?
    {
        guard let destination = destination(of: relationship),
            let column = relationship.column, let value = columnName(attribute, of: relationship)
        else { return nil }
        let (from, name) = Self.inner(destination.tableName, besideRow: row)
        let key: SQLText = "\(row).\(table.columns[column].name)"
        return "(SELECT \(name)\(value) FROM \(from) WHERE \(name)Z_PK = \(key))"
    }

    private func copy(
        _ relationship: PropertySlot,
        _ attribute: PropertySlot,
        _ target: DerivedTarget
    ) -> [SQLFragment] {
        guard let destination = destination(of: relationship),
            let column = relationship.column, let value = columnName(attribute, of: relationship),
            let there = copy(relationship, attribute, inRow: "NEW")
        else { return [] }
        let key = table.columns[column].name
        func pushed(_ name: String, _ event: SQLText, isInsert: Bool) -> SQLFragment {
            target.trigger(
                on: destination.tableName, name, event, set: "NEW.\(value)", where: "\(key) = NEW.Z_PK",
                reportsInsert: isInsert)
        }
        return [
            target.sourceInsert(there),
            target.trigger(
                on: target.table, "SOURCE_UPDATE", "UPDATE OF \(key)", when: target.rows, set: there,
                where: "Z_PK = NEW.Z_PK"),
            pushed("PARAMETER_INSERT", "INSERT", isInsert: true),
            pushed("PARAMETER_UPDATE", "UPDATE OF \(value)", isInsert: false),
        ]
    }

    private func columnName(_ attribute: PropertySlot, of relationship: PropertySlot) -> SQLIdentifier? {
        guard let destination = destination(of: relationship) else { return nil }
        return attribute.column.map { destination.columns[$0].name }
    }

    private func destination(of relationship: PropertySlot) -> EntityTable? {
        relationship.relationship.flatMap { schema[$0.destination] }
    }
}
