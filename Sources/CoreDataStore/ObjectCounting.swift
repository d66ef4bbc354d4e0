package import CoreDataModelFormat
package import CoreDataValues

/// What can tell how many objects and related pairs there are.
package protocol ObjectCounting {
    /// The objects of each entity, without those of its subentities.
    func objectCounts() throws(StoreError) -> [EntityIndex: Int]
    /// The pairs of a relationship between objects of an entity itself and of some others.
    ///
    /// - Parameter oncePerMember: whether each of the others counts once only.
    func pairCount(
        of slot: PropertySlot, in entity: EntityIndex, _ members: [EntityIndex], oncePerMember: Bool
    ) throws(StoreError) -> Int
}
