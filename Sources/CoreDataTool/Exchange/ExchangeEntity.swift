import CoreDataModelFormat
import CoreDataValues

/// What an export says of the objects of one entity: nothing twice, and all that it takes to make them again.
struct ExchangeEntity {
    let entity: CompiledEntity
    /// Persistent attributes that are not derived from others.
    let attributes: [PropertySlot]
    /// To-one relationships, ordered ones, and of the others the side that comes first.
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
