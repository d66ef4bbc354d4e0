import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A count of the contents of a copy before it takes the place of its store.
///
/// Every object that an entity mapping has made, unless a policy has deleted it since, has to have a row in
/// the copy. If the mapping was inferred, each kept entity and relationship has to have as many objects and
/// pairs as before; this second count is not made for a store of an app's own class.
struct CopyVerification {
    /// The change of models that the mapping was inferred from; nil for a mapping that the app has written.
    let evolution: ModelEvolution?

    func verify(_ manager: NSMigrationManager) throws {
        for mapping in manager.mappingModel.entityMappings ?? [] { try requireRows(of: mapping, manager) }
        guard let evolution, let (source, holdsSource) = count(manager.source),
            let (target, holdsTarget) = count(manager.destination)
        else { return }
        let holds: MigrationCensus.Holdings = (holdsSource, holdsTarget)
        let before = try census { () throws(StoreError) in
            try MigrationCensus(before: evolution, source, holds: holds)
        }
        let after = try census { () throws(StoreError) in
            try MigrationCensus(after: evolution, target, holds: holds)
        }
        if let loss = before.difference(to: after, in: evolution.destination) {
            throw violation(loss, manager)
        }
    }

    private func requireRows(of mapping: NSEntityMapping, _ manager: NSMigrationManager) throws {
        var (made, found) = (0, 0)
        try manager.associations.forEachBatch(madeBy: mapping.name, of: MigrationRun.batchSize) { batch in
            made += batch.count
            found += try manager.destination.count(batch)
        }
        guard found != made else { return }
        let entity = mapping.destinationEntityName ?? ""
        throw violation(
            MigrationViolation(entity: entity, property: nil, rule: .count(before: made, after: found)),
            manager)
    }

    private func count(_ side: MigrationSide) -> (any ObjectCounting, (EntityIndex) -> Bool)? {
        guard let handle = side.coordinator.handles.first, let backend = handle.backend as? any ObjectCounting
        else { return nil }
        return (backend, handle.holds)
    }

    private func census(_ body: () throws(StoreError) -> MigrationCensus) throws -> MigrationCensus {
        do throws(StoreError) {
            return try body()
        } catch {
            throw error.nsError()
        }
    }

    private func violation(_ violation: MigrationViolation, _ manager: NSMigrationManager) -> NSError {
        StoreError(violation, path: manager.source.store?.url?.path).nsError()
    }
}
