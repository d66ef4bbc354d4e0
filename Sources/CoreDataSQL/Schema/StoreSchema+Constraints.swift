import CoreDataModelFormat
import CoreDataValues

extension StoreSchema {
    /// Returns the uniqueness constraints on the rows of an entity, as slot indexes: its own and inherited
    /// ones, and those of other entities of the tree over properties that it has as well.
    ///
    /// A unique index belongs to an entity, but holds for the whole table (sqlite-store §9).
    func constraints(of entity: CompiledEntity) -> [[Int]] {
        var result = entity.uniquenessConstraints
        for other in model[entity.root].family where other != entity.index && self[other] != nil {
            for constraint in model[other].uniquenessConstraints where !result.contains(constraint) {
                let slots = constraint.map { model[other].slots[$0] }
                // An inherited property has the same index in every subentity.
                if slots.allSatisfy({ model[$0.declaringEntity].includes(entity.index) }) {
                    result.append(constraint)
                }
            }
        }
        return result
    }
}
