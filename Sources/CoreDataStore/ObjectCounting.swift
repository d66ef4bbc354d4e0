package import CoreDataModelFormat
package import CoreDataValues

/// A store that can count its objects and related pairs.
package protocol ObjectCounting {
    /// Counts the objects of each entity, without those of its subentities.
    func objectCounts() throws(StoreError) -> [EntityIndex: Int]
    /// Counts the pairs of a relationship between objects of exactly one entity and members of some entities.
    ///
    /// - Parameters:
    ///   - slot: The relationship.
    ///   - entity: The entity of the owners.
    ///   - members: The entities of the members that count.
    ///   - oncePerMember: Whether a member counts once only, however many owners have it.
    func pairCount(
        of slot: PropertySlot, in entity: EntityIndex, _ members: [EntityIndex], oncePerMember: Bool
    ) throws(StoreError) -> Int
}
