package import CoreDataValues

/// An entity with its inherited properties included and every name resolved to a number.
package final class CompiledEntity: Sendable {
    package let index: EntityIndex
    package let name: String
    package let className: String?
    package let isAbstract: Bool
    package let superentity: EntityIndex?
    /// The top of the inheritance tree. Its table contains the rows of all entities of the tree.
    package let root: EntityIndex
    /// This entity and its descendants.
    package let family: Range<EntityIndex>
    /// The inherited properties, then the entity's own by name.
    package let slots: [PropertySlot]
    package let slotByName: [String: Int]
    private let slotNames: NameTable
    /// The properties that a packed row holds, in column order.
    package let columns: [PropertySlot]
    /// The columns whose values may be in files outside of the database.
    package let externalColumns: [Int]
    /// The columns of to-one relationships.
    package let referenceColumns: [Int]
    /// The columns of to-one relationships that may lead to objects of several entities.
    package let polymorphicColumns: [Int]
    /// The columns of derived attributes, which the store computes.
    package let derivedColumns: [Int]
    /// The number of values that an object keeps beside its row.
    package let sideCount: Int
    /// The entity's own constraints, then the inherited ones, as slot indexes.
    package let uniquenessConstraints: [[Int]]
    package let element: EntityElement

    package init(
        index: EntityIndex,
        superentity: EntityIndex?,
        root: EntityIndex,
        family: Range<EntityIndex>,
        slots: [PropertySlot],
        uniquenessConstraints: [[Int]],
        element: EntityElement
    ) {
        self.index = index
        self.name = element.name
        self.className = element.className
        self.isAbstract = element.isAbstract
        self.superentity = superentity
        self.root = root
        self.family = family
        self.slots = slots
        self.slotByName = Dictionary(uniqueKeysWithValues: slots.map { ($0.name, $0.index) })
        self.slotNames = NameTable(slots.map(\.name))
        let columns = slots.filter { $0.column != nil }
        self.columns = columns
        self.externalColumns = columns.indices.filter {
            columns[$0].attribute?.allowsExternalStorage ?? false
        }
        self.referenceColumns = columns.indices.filter { columns[$0].attribute == nil }
        self.polymorphicColumns = columns.indices.filter { columns[$0].relationship?.isPolymorphic ?? false }
        self.derivedColumns = columns.indices.filter { columns[$0].attribute?.derivation != nil }
        self.sideCount = slots.count { $0.side != nil }
        self.uniquenessConstraints = uniquenessConstraints
        self.element = element
    }

    package func slot(named name: String) -> PropertySlot? { slotIndex(named: name).map { slots[$0] } }

    /// Returns the index of a property, for callers that do not need the slot, since copying a slot takes
    /// reference counting.
    package func slotIndex(named name: String) -> Int? { slotNames[name] ?? slotByName[name] }

    /// Returns the entities whose objects a request for this entity fetches.
    package func family(includingSubentities: Bool) -> Range<EntityIndex> {
        includingSubentities ? family : index..<index + 1
    }

    /// Returns whether an object of `entity` is also one of this entity.
    package func includes(_ entity: EntityIndex) -> Bool { family.contains(entity) }

    package var hasSubentities: Bool { family.count > 1 }
}
