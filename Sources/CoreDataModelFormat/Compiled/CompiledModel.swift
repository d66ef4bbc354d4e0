package import CoreDataValues
import Synchronization

/// A frozen model: entities by number, with inherited properties included and inverses resolved.
package final class CompiledModel: Sendable {
    package let document: ModelDocument
    /// The entities by `EntityIndex`: depth first, roots and siblings by case-insensitive name
    /// (sqlite-store §3).
    package let entities: [CompiledEntity]
    package let indexByName: [String: EntityIndex]
    private let lastingHashes = Mutex<VersionHashes?>(nil)

    package init(document: ModelDocument, entities: [CompiledEntity]) {
        self.document = document
        self.entities = entities
        self.indexByName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.index) })
    }

    /// The version hashes. They are computed on first use, since many models are read and compiled but never
    /// used with a store.
    package var versionHashes: VersionHashes {
        lastingHashes.withLock { known in
            let hashes = known ?? VersionHashes(document)
            known = hashes
            return hashes
        }
    }

    package func entity(named name: String) -> CompiledEntity? {
        indexByName[name].map { entities[Int($0)] }
    }

    package subscript(_ index: EntityIndex) -> CompiledEntity { entities[Int(index)] }

    package func slot(_ slot: Int, of entity: EntityIndex) -> PropertySlot { self[entity].slots[slot] }

    /// Returns the inverse of a relationship, as the destination declares it.
    package func inverse(of relationship: RelationshipSlot) -> PropertySlot? {
        relationship.inverse.map { self[relationship.destination].slots[$0] }
    }
}
