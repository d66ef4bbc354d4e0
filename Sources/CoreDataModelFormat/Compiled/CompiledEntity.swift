package import CoreDataValues

/// An entity with its inherited properties flattened in and every name resolved to a number.
package final class CompiledEntity: Sendable {
    package let index: EntityIndex
    package let name: String
    package let className: String?
    package let isAbstract: Bool
    package let superentity: EntityIndex?
    /// The top of the inheritance tree, whose table holds the rows of all of it.
    package let root: EntityIndex
    /// This entity and all below it.
    package let family: Range<EntityIndex>
    /// Inherited properties first, then the entity's own by name.
    package let slots: [PropertySlot]
    package let slotByName: [String: Int]
    private let slotNames: NameTable
    /// Slots a packed row holds, in column order.
    package let columns: [PropertySlot]
    /// Columns whose values may lie outside of the database.
    package let externalColumns: [Int]
    /// Columns of to-one relationships.
    package let referenceColumns: [Int]
    /// Those whose objects may be of several entities.
    package let polymorphicColumns: [Int]
    /// Columns of derived attributes, which the store writes.
    package let derivedColumns: [Int]
    /// Number of values an object keeps beside its row.
    package let sideCount: Int
    /// The entity's own and inherited constraints, as slot indexes.
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

    /// The same as a number, for who wants to know little of the slot: to copy one counts references.
    package func slotIndex(named name: String) -> Int? { slotNames[name] ?? slotByName[name] }

    /// The entities of a request for this one.
    package func family(includingSubentities: Bool) -> Range<EntityIndex> {
        includingSubentities ? family : index..<index + 1
    }

    /// Whether a row of `entity` is also one of this entity.
    package func includes(_ entity: EntityIndex) -> Bool { family.contains(entity) }

    package var hasSubentities: Bool { family.count > 1 }
}
