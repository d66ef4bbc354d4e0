package import CoreDataModelFormat
import CoreDataStore
package import CoreDataValues

/// A property by the entity that declares it; subentities inherit it under the same slot index.
package struct PropertyID: Sendable, Hashable {
    package let entity: EntityIndex
    package let slot: Int

    package init(_ slot: PropertySlot) {
        entity = slot.declaringEntity
        self.slot = slot.index
    }
}

/// The table of one inheritance tree: its columns as DDL lists them, and the columns of each property.
package struct TableLayout: Sendable {
    package struct Column: Sendable, Equatable {
        package let name: SQLIdentifier
        package let type: ColumnType
    }

    package let root: EntityIndex
    package let name: SQLIdentifier
    package fileprivate(set) var columns: [Column] = []
    /// The columns of positions in ordered relationships, in the order of the table.
    var orderColumns: [SQLIdentifier] = []
    package fileprivate(set) var stored: [PropertyID: StoredColumn] = [:]
    /// The columns of to-many relationships without inverse whose destination lies in this table.
    package fileprivate(set) var own: [PropertyID: OwnColumn] = [:]

    func definition(in dialect: any SchemaDialect) -> SQLFragment {
        let list = columns.map { "\($0.name) \(dialect.type(of: $0.type))" as SQLText }
            .joined(separator: ", ")
        return "CREATE TABLE \(name) ( \(list) )"
    }

    package struct OwnColumn: Sendable, Equatable {
        package let name: SQLIdentifier
        package let orderColumn: SQLIdentifier?
    }
}

/// The compiler of a model's tables from entity numbers (sqlite-store §5).
///
/// A first walk, over entities by number and properties by name, claims the names. A second one places the
/// columns: integers and to-ones entity by entity, then order columns, then the other types class by class.
struct TableLayoutCompiler {
    let model: CompiledModel
    let numbers: EntityNumbers
    let dialect: any SchemaDialect

    /// Returns the tables.
    ///
    /// - Parameter names: The names that tables have already.
    func layouts(_ names: inout NameScope) -> [TableLayout] {
        let oneSided = oneSidedRelationships()
        var result: [TableLayout] = []
        for root in numbers.ordered where model[root].root == root {
            let name = names.claim(table: NameMangling.table(model[root].name))
            result.append(layout(of: root, name, oneSided))
        }
        return result
    }

    /// Returns the persistent to-many relationships without inverse, by the entity they lead to.
    private func oneSidedRelationships() -> [EntityIndex: [PropertySlot]] {
        var result: [EntityIndex: [PropertySlot]] = [:]
        for entity in numbers.ordered {
            for slot in ownSlots(entity) where slot.isToMany && !slot.isTransient {
                guard let relationship = slot.relationship, !model.hasStoredInverse(relationship) else {
                    continue
                }
                result[relationship.destination, default: []].append(slot)
            }
        }
        return result
    }

    private func ownSlots(_ entity: EntityIndex) -> [PropertySlot] {
        model[entity].slots.filter { $0.declaringEntity == entity }
    }

    private func layout(
        of root: EntityIndex,
        _ name: SQLIdentifier,
        _ oneSided: [EntityIndex: [PropertySlot]]
    ) -> TableLayout {
        var layout = TableLayout(root: root, name: name)
        let family = numbers.ordered.filter { model[root].family.contains($0) }
        var scope = NameScope([NameMangling.key, NameMangling.entity, NameMangling.version], in: dialect)
        let indexed = dialect.indexedTextLength == nil ? [] : model.indexedProperties(of: family)
        for entity in family {
            for slot in ownSlots(entity) where slot.column != nil {
                layout.stored[PropertyID(slot)] = storedColumn(
                    slot, &scope, isIndexed: indexed.contains(slot.name))
            }
        }
        for entity in family {
            for slot in oneSided[entity] ?? [] {
                guard let owner = numbers[slot.declaringEntity] else { continue }
                let name = scope.claim(NameMangling.ownColumn(slot.name, owner: owner))
                let isOrdered = slot.relationship?.isOrdered ?? false
                layout.own[PropertyID(slot)] = TableLayout.OwnColumn(
                    name: name, orderColumn: isOrdered ? scope.claim(NameMangling.ownOrderColumn(name)) : nil)
            }
        }
        layout.columns = arranged(layout, family, oneSided)
        layout.orderColumns = layout.columns.map(\.name).filter(NameMangling.mayBeOrderColumn)
        return layout
    }

    private func storedColumn(
        _ slot: PropertySlot, _ scope: inout NameScope, isIndexed: Bool
    ) -> StoredColumn? {
        switch slot.kind {
        case .attribute(let attribute): storedColumn(slot, attribute, &scope, isIndexed: isIndexed)
        case .relationship(let relationship): storedColumn(slot, relationship, &scope)
        case .fetchedProperty: nil
        }
    }

    private func storedColumn(
        _ slot: PropertySlot,
        _ relationship: RelationshipSlot,
        _ scope: inout NameScope
    ) -> StoredColumn {
        let name = scope.claim(NameMangling.column(slot.name))
        var entityColumn: SQLIdentifier?
        if relationship.isPolymorphic, let number = numbers[relationship.destination] {
            entityColumn = scope.claim(NameMangling.entityColumn(slot.name, destination: number))
        }
        let inverse = model.inverse(of: relationship)
        let isPosition = inverse?.relationship.map { $0.isToMany && $0.isOrdered } ?? false
        return StoredColumn(
            slot: slot.index, name: name, entityColumn: entityColumn,
            orderColumn: isPosition ? scope.claim(NameMangling.orderColumn(slot.name)) : nil)
    }

    /// Returns the columns of an attribute.
    ///
    /// Each element of a composite has a column, named as if the element were an attribute. A composite
    /// without elements has one column, which stays empty.
    private func storedColumn(
        _ slot: PropertySlot,
        _ attribute: AttributeSlot,
        _ scope: inout NameScope,
        isIndexed: Bool
    ) -> StoredColumn {
        func isIndexedText(_ type: AttributeType) -> Bool {
            isIndexed && [.string, .uri, .objectID].contains(type)
        }
        let leaves = attribute.leaves
        guard !leaves.isEmpty else {
            return StoredColumn(
                slot: slot.index, name: scope.claim(NameMangling.column(slot.name)),
                isIndexedText: isIndexedText(attribute.type))
        }
        var elements: [StoredElement] = []
        for (path, leaf) in leaves {
            let name = scope.claim(NameMangling.column(path.last ?? slot.name))
            elements.append(
                StoredElement(
                    path: path, name: name, type: leaf.type, isIndexedText: isIndexedText(leaf.type)))
        }
        return StoredColumn(slot: slot.index, name: elements[0].name, elements: elements)
    }

    private func arranged(
        _ layout: TableLayout,
        _ family: [EntityIndex],
        _ oneSided: [EntityIndex: [PropertySlot]]
    ) -> [TableLayout.Column] {
        var columns = [
            TableLayout.Column(name: NameMangling.key, type: .primaryKey),
            TableLayout.Column(name: NameMangling.entity, type: .number),
            TableLayout.Column(name: NameMangling.version, type: .number),
        ]
        func add(_ name: SQLIdentifier?, _ type: ColumnType = .number) {
            if let name { columns.append(TableLayout.Column(name: name, type: type)) }
        }
        let stored = family.map { entity in
            ownSlots(entity).compactMap { layout.stored[PropertyID($0)] }
        }
        let values = zip(family, stored).map { entity, properties in
            properties.flatMap { valueColumns(of: $0, in: entity) }
        }
        for (index, entity) in family.enumerated() {
            for value in values[index] where value.type.columnClass == .integer {
                add(value.name, .attribute(value.type))
            }
            for property in stored[index] where model.slot(property.slot, of: entity).isToOne {
                add(property.name)
                add(property.entityColumn)
            }
            for slot in oneSided[entity] ?? [] { add(layout.own[PropertyID(slot)]?.name) }
        }
        for (entity, properties) in zip(family, stored) {
            for property in properties { add(property.orderColumn) }
            for slot in oneSided[entity] ?? [] { add(layout.own[PropertyID(slot)]?.orderColumn) }
        }
        for kind in ColumnClass.allCases where kind != .integer {
            for value in values.joined() where value.type.columnClass == kind {
                add(value.name, .attribute(value.type))
            }
        }
        return columns
    }

    /// Returns the columns of an attribute: one, or one for each element of a composite.
    private func valueColumns(
        of column: StoredColumn, in entity: EntityIndex
    ) -> [(name: SQLIdentifier, type: AttributeType)] {
        guard let type = model.slot(column.slot, of: entity).attribute?.type else { return [] }
        if column.elements.isEmpty { return [(column.name, type)] }
        return column.elements.map { ($0.name, $0.type) }
    }
}
