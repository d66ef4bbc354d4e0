import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The attributes of an entity that are derived over one relationship: counts, sums and copies.
///
/// Its owners are the rows that have the attributes; its members are the rows that they are derived from.
struct DerivedTotal: Sendable {
    /// The place that says which members an owner has.
    enum Link: Sendable {
        /// A column of the members' table, and its place in the packed row unless no property shows it.
        case member(SQLIdentifier, packed: Int?)
        case join(SQLIdentifier, owner: SQLIdentifier, member: SQLIdentifier)
        case reflexive(ReflexiveJoin)
        /// A to-one column of the owners' table, and its place in the packed row.
        case owner(SQLIdentifier, packed: Int)
    }

    /// A derived attribute: its column, and its value for the row `o` of the owners' table.
    struct Value: Sendable {
        let column: SQLIdentifier
        let expression: SQLText
    }

    let owner: CompiledEntity
    let owners: SQLIdentifier
    let member: CompiledEntity
    let members: SQLIdentifier
    let link: Link
    private(set) var values: [Value] = []
    /// The columns of members that the values are made of.
    private(set) var sources: Set<SQLIdentifier> = []
    /// The columns of a member's packed row whose changes change the values.
    private(set) var watched = ColumnMask()
    /// Whether each update of a member changes a value: that of `now()`.
    private(set) var watchesAll = false

    /// Makes the total of a relationship, without values; nil if the store does not have both sides.
    init?(_ relationship: PropertySlot, of entity: CompiledEntity, in schema: StoreSchema) {
        guard let destination = relationship.relationship?.destination, let table = schema[entity.index],
            let other = schema[destination], !relationship.isTransient
        else { return nil }
        owner = entity
        owners = table.tableName
        member = schema.model[destination]
        members = other.tableName
        if let column = relationship.column {
            link = .owner(table.columns[column].name, packed: column)
            return
        }
        switch table.toMany[relationship.index] {
        case .foreignKey(_, let column, _, let isOwn):
            let inverse = relationship.relationship.flatMap(schema.model.inverse)
            link = .member(column, packed: isOwn ? nil : inverse?.column)
        case .join(let join, let owner, let member, _, let isReflexive):
            let reflexive = isReflexive ? ReflexiveJoin(relationship, of: table) : nil
            link = reflexive.map(Link.reflexive) ?? .join(join, owner: owner, member: member)
        case nil: return nil
        }
    }

    /// Adds a derived attribute. Returns false if the database cannot compute it.
    mutating func add(
        _ derivation: Derivation, _ slot: PropertySlot, in schema: StoreSchema, _ dialect: PostgreSQLDialect
    ) -> Bool {
        guard let target = slot.attribute?.type,
            let column = slot.column.flatMap({ schema[owner.index]?.columns[$0].name })
        else { return false }
        let value: SQLText?
        switch derivation {
        case .count: value = dialect.derived(count, .integer64, as: target, isTotal: true)
        case .sum(_, let attribute):
            guard let (source, type) = watch(attribute, schema) else { return false }
            let sum = selection(of: "COALESCE(SUM(m.\(source)), 0)")
            value = dialect.derived(sum, type, as: target, isTotal: true)
        case .copy(_, let attribute):
            guard let (source, type) = watch(attribute, schema) else { return false }
            value = dialect.derived(selection(of: "m.\(source)"), type, as: target, isTotal: false)
        case .now, .text: return false
        }
        guard let value else { return false }
        values.append(Value(column: column, expression: value))
        return true
    }

    /// Watches the columns that an attribute of the members depends on; returns its own one.
    private mutating func watch(
        _ attribute: PropertySlot, _ schema: StoreSchema
    ) -> (column: SQLIdentifier, type: AttributeType)? {
        guard let column = attribute.column, let source = attribute.attribute, source.elements.isEmpty,
            let stored = schema[member.index]?.columns[column]
        else { return nil }
        sources.insert(stored.name)
        switch Derivation(attribute, of: member, in: schema.model) {
        case .now: watchesAll = true
        case .text(_, let base): watched.insert(base.column ?? column)
        case .count, .sum, .copy, nil: watched.insert(column)
        }
        return (stored.name, source.type)
    }

    /// Counts the members of an owner `o`.
    private var count: SQLText {
        switch link {
        case .member, .owner: selection(of: "COUNT(*)")
        case .join(let join, let owner, _):
            "(SELECT COUNT(*) FROM \(join) AS j WHERE j.\(owner) = o.Z_PK)"
        case .reflexive(let join): "(SELECT COUNT(*) FROM (\(join.partners(of: "o.Z_PK"))) AS j)"
        }
    }

    /// Selects something of the members `m` of an owner `o`.
    private func selection(of cell: SQLText) -> SQLText {
        switch link {
        case .member(let column, _): "(SELECT \(cell) FROM \(members) AS m WHERE m.\(column) = o.Z_PK)"
        case .join(let join, let owner, let member):
            """
            (SELECT \(cell) FROM \(join) AS j JOIN \(members) AS m ON m.Z_PK = j.\(member) \
            WHERE j.\(owner) = o.Z_PK)
            """
        case .reflexive(let join):
            "(SELECT \(cell) FROM \(members) AS m WHERE m.Z_PK IN (\(join.partners(of: "o.Z_PK"))))"
        case .owner(let column, _): "(SELECT \(cell) FROM \(members) AS m WHERE m.Z_PK = o.\(column))"
        }
    }

    // MARK: Owners

    /// Returns selects of the owners that a write is about to leave: those of members that go or move, which
    /// nothing leads to afterwards.
    func left(by write: TouchedRows) -> [SQLFragment] {
        var result = write.rows.compactMap { rows -> SQLFragment? in
            guard member.includes(rows.entity) else { return nil }
            switch (rows.change, link) {
            case (.delete, .owner): return nil
            case (.delete, _): return owners(of: rows.keys)
            case (.update(let changed), .member(_, let packed?)):
                return changed.contains(packed) ? owners(of: rows.keys) : nil
            case (.update, _), (.insert, _): return nil
            }
        }
        if let keys = setMembers(in: write) { result.append(owners(of: keys)) }
        return result
    }

    /// Returns selects of the owners whose values a write may have changed, those aside that it has left.
    func changed(by write: TouchedRows) -> [SQLFragment] {
        var result: [SQLFragment] = []
        for rows in write.rows {
            if owner.includes(rows.entity), isDerivedAnew(rows.change) { result.append(rows.keys.rows) }
            guard member.includes(rows.entity) else { continue }
            switch (rows.change, link) {
            case (.insert, .member): result.append(owners(of: rows.keys))
            case (.insert(let returning), .owner) where !returning.isEmpty:
                result.append(owners(of: .listed(returning)))
            case (.update(let changed), _) where isAffected(by: changed):
                result.append(owners(of: rows.keys))
            default: break
            }
        }
        switch link {
        case .join(let join, let owner, _):
            if let keys = write.keys(of: owner, in: join) { result.append(keys.rows) }
        case .reflexive(let join):
            result += join.columns.compactMap { write.keys(of: $0, in: join.table)?.rows }
        case .member, .owner: break
        }
        if let keys = setMembers(in: write) { result.append(owners(of: keys)) }
        return result
    }

    /// Returns the members whose owner is set in a column that no property shows.
    func setMembers(in write: TouchedRows) -> TouchedRows.Keys? {
        guard case .member(let column, nil) = link else { return nil }
        return write.keys(of: column, in: members)
    }

    /// Returns whether a change of an owner itself changes its values.
    private func isDerivedAnew(_ change: TouchedRows.Change) -> Bool {
        switch (change, link) {
        case (.insert, _): true
        case (.update(let changed), .owner(_, let packed)): changed.contains(packed)
        case (.update, _), (.delete, _): false
        }
    }

    /// Returns whether an update of a member changes the values of its owners.
    private func isAffected(by changed: ColumnMask) -> Bool {
        if watchesAll || !watched.isDisjoint(with: changed) { return true }
        guard case .member(_, let packed?) = link else { return false }
        return changed.contains(packed)
    }

    /// Selects the owners of members.
    func owners(of keys: TouchedRows.Keys) -> SQLFragment {
        switch link {
        case .member(let column, _):
            return "SELECT \(column) FROM \(members) WHERE \(keys.contain("Z_PK"))"
        case .join(let join, let owner, let member):
            return "SELECT \(owner) FROM \(join) WHERE \(keys.contain("\(member)"))"
        case .reflexive(let join):
            let (one, other) = (join.columns[0], join.columns[1])
            return """
                SELECT \(one) FROM \(join.table) WHERE \(keys.contain("\(other)")) \
                UNION SELECT \(other) FROM \(join.table) WHERE \(keys.contain("\(one)"))
                """
        case .owner(let column, _):
            return "SELECT Z_PK FROM \(owners) WHERE \(keys.contain("\(column)"))"
        }
    }
}

extension PostgreSQLDialect {
    /// Spells a value of one type as that of a derived attribute; nil if there is no sense in it.
    ///
    /// Numbers lose their fractions as they do where SQLite's values are read, not by rounding.
    ///
    /// - Parameter isTotal: Whether it is a count or a sum, whose type is wider than that of its operands.
    fileprivate func derived(
        _ value: SQLText, _ type: AttributeType, as target: AttributeType, isTotal: Bool
    ) -> SQLText? {
        let (from, to) = (NumberKind(type), NumberKind(target))
        switch (from, to) {
        case (let from?, let to?):
            if from == to, !isTotal, type == target { return value }
            let isCut = from == .fraction && to == .whole
            return "CAST(\(isCut ? "trunc(\(value))" : value) AS \(self.type(of: .attribute(target))))"
        case (_?, nil): return target == .string ? "CAST(\(value) AS text)" : nil
        case (nil, _):
            let isCopy = !isTotal && self.type(of: .attribute(type)) == self.type(of: .attribute(target))
            return isCopy ? value : nil
        }
    }

    private enum NumberKind {
        case whole, fraction

        init?(_ type: AttributeType) {
            switch type {
            case .integer16, .integer32, .integer64, .boolean: self = .whole
            case .double, .float, .decimal, .date: self = .fraction
            case .string, .uri, .objectID, .uuid, .binary, .transformable, .composite, .undefined: return nil
            }
        }
    }
}
