import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A column that a table of the new model has, and the sources of its values.
struct TargetColumn {
    enum Role {
        /// An attribute, or an element of a composite one, at its path there.
        case value(PropertySlot, AttributeSlot, path: [String])
        /// The key of a to-one relationship.
        case key(PropertySlot)
        /// The entity number beside the key of a to-one relationship.
        case entity(PropertySlot)
        /// The position of a to-one relationship's object on the other side.
        case order(PropertySlot)
        /// The key of a to-many relationship without inverse, in its members' rows.
        case ownKey
        /// The position of a member in such a relationship.
        case ownOrder
    }

    struct Source: Hashable {
        /// The column of the old table.
        let column: SQLIdentifier
        let conversion: ValueConversion?
        /// Whether there may be rows without a value.
        let isOptional: Bool

        /// Returns the value in the type that it will have.
        ///
        /// - Parameter name: The present name of the column.
        func value(_ name: SQLIdentifier, in dialect: any SQLDialect) -> SQLText {
            conversion.map { dialect.converted("\(name)", by: $0) } ?? "\(name)"
        }
    }

    let name: SQLIdentifier
    let type: ColumnType
    let role: Role
    /// The sources by the entities of the new model whose rows have the column; nil if the column is new to
    /// their rows.
    let sources: [EntityIndex: Source?]
}

/// The search for the columns of one table of the new model in the tables of the old one.
struct TargetColumnFinder {
    let evolution: ModelEvolution
    let source: StoreSchema
    let moves: EntityMoves
    let dialect: any SQLDialect

    func columns(of layout: TableLayout) -> [TargetColumn] {
        var result: [TargetColumn] = []
        for (property, stored) in layout.stored.sorted(by: \.value.name) {
            let slot = evolution.destination.slot(property.slot, of: property.entity)
            if slot.attribute != nil {
                result += valueColumns(property, stored)
            } else {
                result += keyColumns(property, slot, stored)
            }
        }
        for (property, own) in layout.own.sorted(by: \.value.name) {
            result += ownColumns(property, own)
        }
        return result
    }

    /// Returns the source of a column for an entity and each of its subentities.
    private func sources(
        below entity: EntityIndex, _ find: (EntityIndex) -> TargetColumn.Source?
    ) -> [EntityIndex: TargetColumn.Source?] {
        var result: [EntityIndex: TargetColumn.Source?] = [:]
        for index in evolution.destination[entity].family {
            result[index] = .some(moves.moves[index] == nil ? nil : find(index))
        }
        return result
    }

    private func stored(_ slot: PropertySlot, of entity: EntityIndex) -> StoredColumn? {
        guard let former = evolution[entity]?.entity, let table = source[former] else { return nil }
        return slot.column.map { table.columns[$0] }
    }

    // MARK: Attributes

    private func valueColumns(_ property: PropertyID, _ stored: StoredColumn) -> [TargetColumn] {
        let slot = evolution.destination.slot(property.slot, of: property.entity)
        guard let attribute = slot.attribute else { return [] }
        if stored.elements.isEmpty {
            return [valueColumn(property, slot, attribute, at: [], stored.name)]
        }
        var result: [TargetColumn] = []
        for element in stored.elements {
            guard let leaf = attribute.element(at: element.path) else { continue }
            result.append(
                valueColumn(property, slot, leaf, at: element.path, element.name))
        }
        return result
    }

    private func valueColumn(
        _ property: PropertyID, _ slot: PropertySlot, _ attribute: AttributeSlot, at path: [String],
        _ name: SQLIdentifier
    ) -> TargetColumn {
        let sources = sources(below: property.entity) { entity in
            valueSource(slot, attribute, at: path, in: entity)
        }
        return TargetColumn(
            name: name, type: .attribute(attribute.type), role: .value(slot, attribute, path: path),
            sources: sources)
    }

    private func valueSource(
        _ slot: PropertySlot, _ attribute: AttributeSlot, at path: [String], in entity: EntityIndex
    ) -> TargetColumn.Source? {
        guard let former = evolution.origin(of: slot, in: entity),
            let formerPath = formerPath(of: path, slot, in: entity),
            let old = former.attribute?.element(at: formerPath),
            let column = stored(former, of: entity)
        else { return nil }
        if let derivation = attribute.derivation, derivation != old.derivation { return nil }
        let name =
            formerPath.isEmpty ? column.name : column.elements.first { $0.path == formerPath }?.name
        guard let name, formerPath.isEmpty == column.elements.isEmpty else { return nil }
        return TargetColumn.Source(
            column: name, conversion: ValueConversion(from: old, to: attribute, in: dialect),
            isOptional: former.isOptional || !path.isEmpty)
    }

    /// Returns the old path of an element of a composite attribute; nil if it or the attribute is new.
    private func formerPath(of path: [String], _ slot: PropertySlot, in entity: EntityIndex) -> [String]? {
        guard let former = evolution.origin(of: slot, in: entity)?.attribute else { return nil }
        return slot.attribute?.formerPath(of: path, in: former)
    }

    /// Returns the old form of an attribute, or of an element of a composite one.
    func formerAttribute(at path: [String], of slot: PropertySlot, in entity: EntityIndex) -> AttributeSlot? {
        guard let former = formerPath(of: path, slot, in: entity) else { return nil }
        return evolution.origin(of: slot, in: entity)?.attribute?.element(at: former)
    }

    // MARK: Relationships

    private func keyColumns(
        _ property: PropertyID, _ slot: PropertySlot, _ stored: StoredColumn
    ) -> [TargetColumn] {
        func column(
            _ name: SQLIdentifier?, _ role: TargetColumn.Role, _ part: (KeySource) -> SQLIdentifier?
        ) -> TargetColumn? {
            guard let name else { return nil }
            var sources: [EntityIndex: TargetColumn.Source?] = [:]
            for entity in evolution.destination[property.entity].family {
                let key = keySource(of: slot, in: entity)
                sources[entity] = .some(
                    key.flatMap { key in
                        part(key).map { .init(column: $0, conversion: nil, isOptional: key.isOptional) }
                    })
            }
            return TargetColumn(name: name, type: .number, role: role, sources: sources)
        }
        return [
            column(stored.name, .key(slot)) { $0.key },
            column(stored.entityColumn, .entity(slot)) { $0.entity },
            column(stored.orderColumn, .order(slot)) { $0.order },
        ].compactMap { $0 }
    }

    private struct KeySource {
        let key: SQLIdentifier
        let entity: SQLIdentifier?
        let order: SQLIdentifier?
        let isOptional: Bool
    }

    /// Returns the old columns of a to-one relationship: its own, or those of the to-many on the other side,
    /// which had no inverse before.
    private func keySource(of slot: PropertySlot, in entity: EntityIndex) -> KeySource? {
        guard let move = moves.moves[entity] else { return nil }
        if let former = evolution.origin(of: slot, in: entity) {
            guard former.isToOne, let column = stored(former, of: entity) else { return nil }
            return KeySource(
                key: column.name, entity: column.entityColumn, order: column.orderColumn,
                isOptional: former.isOptional)
        }
        guard let inverse = slot.relationship.flatMap(evolution.destination.inverse),
            case .foreignKey(let table, let column, let order, true) = storage(of: inverse),
            table == move.oldTable
        else { return nil }
        return KeySource(key: column, entity: nil, order: order, isOptional: true)
    }

    /// Returns the columns of a to-many without inverse in its members' table. Their sources are its former
    /// columns there, or those of an inverse that is removed.
    private func ownColumns(_ property: PropertyID, _ own: TableLayout.OwnColumn) -> [TargetColumn] {
        let slot = evolution.destination.slot(property.slot, of: property.entity)
        guard let destination = slot.relationship?.destination else { return [] }
        var former: (table: SQLIdentifier, key: SQLIdentifier, order: SQLIdentifier?)?
        if case .foreignKey(let table, let column, let order, _) = storage(of: slot) {
            former = (table, column, order)
        }
        func column(_ name: SQLIdentifier, _ role: TargetColumn.Role, _ source: SQLIdentifier?)
            -> TargetColumn
        {
            var sources: [EntityIndex: TargetColumn.Source?] = [:]
            for entity in evolution.destination[destination].family {
                let isThere = moves.moves[entity].map { $0.oldTable == former?.table } ?? false
                sources[entity] = .some(
                    isThere
                        ? source.map { .init(column: $0, conversion: nil, isOptional: true) } : nil)
            }
            return TargetColumn(name: name, type: .number, role: role, sources: sources)
        }
        var result = [column(own.name, .ownKey, former?.key)]
        if let order = own.orderColumn { result.append(column(order, .ownOrder, former?.order)) }
        return result
    }

    /// Returns the storage of the old form of a to-many relationship; nil if it is new or was no to-many.
    func storage(of slot: PropertySlot) -> ToManyStorage? {
        former(of: slot).flatMap { source[$0.entity]?.toMany[$0.slot.index] }
    }

    /// Returns the old form of a relationship, in the first entity that has one.
    func former(of slot: PropertySlot) -> (entity: EntityIndex, slot: PropertySlot)? {
        for entity in evolution.destination[slot.declaringEntity].family {
            guard let origin = evolution[entity], let former = evolution.origin(of: slot, in: entity) else {
                continue
            }
            return (origin.entity, former)
        }
        return nil
    }
}
