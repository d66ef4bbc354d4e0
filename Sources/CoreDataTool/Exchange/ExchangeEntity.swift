import CoreDataModelFormat
import CoreDataValues

/// The properties of an entity that an export contains: all that are needed to make the objects again, and
/// none twice.
struct ExchangeEntity {
    let entity: CompiledEntity
    /// The persistent attributes that are not derived.
    let attributes: [PropertySlot]
    /// The to-one relationships, the ordered ones, and one side of each other relationship.
    let relationships: [PropertySlot]

    init(_ entity: CompiledEntity, in model: CompiledModel) {
        self.entity = entity
        let stored = entity.slots.filter { !$0.isTransient }.sorted { $0.name < $1.name }
        attributes = stored.filter { $0.attribute.map { $0.derivation == nil } ?? false }
        relationships = stored.filter { Self.isWritten($0, in: model) }
    }

    private static func isWritten(_ slot: PropertySlot, in model: CompiledModel) -> Bool {
        guard let relationship = slot.relationship else { return false }
        guard relationship.isToMany, !relationship.isOrdered, !relationship.isReflexive,
            let inverse = model.inverse(of: relationship), !inverse.isTransient,
            let other = inverse.relationship
        else { return true }
        if !other.isToMany || other.isOrdered { return false }
        return (slot.declaringEntity, slot.index) <= (inverse.declaringEntity, inverse.index)
    }
}
