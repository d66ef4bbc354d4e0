import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The check that each relationship of the new model has its links from one relationship of the store.
struct RelationshipCheck {
    let change: SchemaChange

    /// Throws `inexpressible` for two relationships that become each other's inverse and were not, since the
    /// links of only one of them could be kept.
    func requireOneOrigin() throws(StoreError) {
        for join in change.joins { try requireOneOrigin(join.master) }
        for table in change.tables {
            for (property, _) in table.layout.stored.sorted(by: \.value.name) {
                try requireOneOrigin(change.evolution.destination.slot(property.slot, of: property.entity))
            }
        }
    }

    private func requireOneOrigin(_ slot: PropertySlot) throws(StoreError) {
        let (evolution, finder) = (change.evolution, change.finder)
        guard let inverse = slot.relationship.flatMap(evolution.destination.inverse),
            let former = finder.former(of: slot), let formerInverse = finder.former(of: inverse),
            let old = former.slot.relationship
        else { return }
        let expected = evolution.source.inverse(of: old)
        if expected.map(PropertyID.init) == PropertyID(formerInverse.slot) { return }
        let name = change.name(of: slot.declaringEntity)
        throw StoreError(
            .inexpressible, "\(name).\(slot.name) and \(inverse.name) were not each other's inverse")
    }
}
