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

/// The table of one inheritance tree: its columns as DDL lists them, and which property is stored where.
package struct TableLayout: Sendable {
    package struct Column: Sendable, Hashable {
        package let name: String
        package let type: String
    }

    package let root: EntityIndex
    package let name: String
    package fileprivate(set) var columns: [Column] = []
    package fileprivate(set) var stored: [PropertyID: StoredColumn] = [:]
    /// Columns of to-many relationships without inverse whose destination lives here.
    package fileprivate(set) var own: [PropertyID: OwnColumn] = [:]

    package struct OwnColumn: Sendable, Hashable {
        package let name: String
        package let orderColumn: String?
    }
}

/// Computes the tables of a model from entity numbers (sqlite-store §5).
///
/// Names are claimed in one walk over entities by number and properties by name; a second walk places the columns:
/// integers and to-ones entity by entity, then order columns, then the other types class by class.
struct TableLayoutCompiler {
    let model: CompiledModel
    let numbers: EntityNumbers

    func layouts() throws(StoreError) -> [TableLayout] {
        let oneSided = oneSidedRelationships()
        var result: [TableLayout] = []
        for root in numbers.ordered where model[root].root == root {
            result.append(try layout(of: root, oneSided))
        }
        return result
    }

    /// Persistent to-many relationships without inverse, by the entity they lead to.
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
        _ oneSided: [EntityIndex: [PropertySlot]]
    ) throws(StoreError) -> TableLayout {
        var layout = TableLayout(root: root, name: NameMangling.table(model[root].name))
        let family = numbers.ordered.filter { model[root].family.contains($0) }
        var scope = NameScope([NameMangling.key, NameMangling.entity, NameMangling.version])
        for entity in family {
            for slot in ownSlots(entity) where slot.column != nil {
                layout.stored[PropertyID(slot)] = try storedColumn(slot, &scope)
            }
        }
        for entity in family {
            for slot in oneSided[entity] ?? [] {
                guard let owner = numbers[slot.declaringEntity] else { continue }
                let name = scope.claim(NameMangling.ownColumn(slot.name, owner: owner))
                let isOrdered = slot.relationship?.isOrdered ?? false
                layout.own[PropertyID(slot)] = TableLayout.OwnColumn(
                    name: name, orderColumn: isOrdered ? scope.claim("Z_FOK_" + name.dropFirst()) : nil)
            }
        }
        layout.columns = placed(layout, family, oneSided)
        return layout
    }

    private func storedColumn(
        _ slot: PropertySlot,
        _ scope: inout NameScope
    ) throws(StoreError) -> StoredColumn {
        let name = scope.claim(NameMangling.column(slot.name))
        guard let relationship = slot.relationship else {
            guard let attribute = slot.attribute, attribute.type != .composite else {
                throw StoreError(
                    .unsupported,
                    "\(model[slot.declaringEntity].name).\(slot.name): a composite attribute is not supported yet"
                )
            }
            return StoredColumn(slot: slot.index, name: name, declaredType: attribute.type.declaredType)
        }
        var entityColumn: String?
        if model[relationship.destination].hasSubentities, let number = numbers[relationship.destination] {
            entityColumn = scope.claim(NameMangling.entityColumn(slot.name, destination: number))
        }
        let inverse = model.inverse(of: relationship)
        let isPosition = inverse?.relationship.map { $0.isToMany && $0.isOrdered } ?? false
        return StoredColumn(
            slot: slot.index, name: name, declaredType: "INTEGER",
            entityColumn: entityColumn,
            orderColumn: isPosition ? scope.claim(NameMangling.orderColumn(slot.name)) : nil)
    }

    private func placed(
        _ layout: TableLayout,
        _ family: [EntityIndex],
        _ oneSided: [EntityIndex: [PropertySlot]]
    ) -> [TableLayout.Column] {
        var columns = [
            TableLayout.Column(name: NameMangling.key, type: "INTEGER PRIMARY KEY"),
            TableLayout.Column(name: NameMangling.entity, type: "INTEGER"),
            TableLayout.Column(name: NameMangling.version, type: "INTEGER"),
        ]
        func add(_ name: String?, _ type: String = "INTEGER") {
            if let name { columns.append(TableLayout.Column(name: name, type: type)) }
        }
        let stored = family.map { entity in
            ownSlots(entity).compactMap { slot in
                layout.stored[PropertyID(slot)].map { (column: $0, kind: slot.attribute?.type.columnClass) }
            }
        }
        for (entity, properties) in zip(family, stored) {
            for property in properties where property.kind == .integer { add(property.column.name) }
            for property in properties where property.kind == nil {
                add(property.column.name)
                add(property.column.entityColumn)
            }
            for slot in oneSided[entity] ?? [] { add(layout.own[PropertyID(slot)]?.name) }
        }
        for (entity, properties) in zip(family, stored) {
            for property in properties { add(property.column.orderColumn) }
            for slot in oneSided[entity] ?? [] { add(layout.own[PropertyID(slot)]?.orderColumn) }
        }
        for kind in ColumnClass.allCases where kind != .integer {
            for property in stored.joined() where property.kind == kind {
                add(property.column.name, property.column.declaredType)
            }
        }
        return columns
    }
}
