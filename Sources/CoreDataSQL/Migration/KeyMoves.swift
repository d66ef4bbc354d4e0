import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The keys of objects whose entities come into other hierarchies by a migration in place.
///
/// The metadata of the store tell of them, so that programs that know objects by their keys find them again.
struct KeyMoves: Sendable, Equatable {
    /// What is added to the keys of an entity's objects, by the entity's renaming identifier or name. Zero for
    /// an entity whose objects keep their keys.
    let offsets: [String: Int64]

    /// Nil if every entity stays in its hierarchy.
    init?(_ change: SchemaChange) {
        let evolution = change.evolution
        var offsets: [String: Int64] = [:]
        for move in change.moves.moves.values {
            let entity = evolution.destination[move.destination]
            let root = evolution.source[move.source].root
            guard evolution.successor(of: root) != entity.root else { continue }
            offsets[entity.element.renamingIdentifier ?? entity.name] = move.offset
        }
        guard !offsets.isEmpty else { return nil }
        self.offsets = offsets
    }

    /// Returns a store's metadata, a property list, with these moves behind earlier ones.
    func added(to metadata: Data) throws -> Data {
        let list = try PropertyListSerialization.propertyList(from: metadata, format: nil)
        guard var values = list as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
        let earlier = values[DatabaseOptions.keyMovesKey] as? [Any] ?? []
        values[DatabaseOptions.keyMovesKey] = earlier + [offsets.mapValues { NSNumber(value: $0) }]
        return try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    }
}
