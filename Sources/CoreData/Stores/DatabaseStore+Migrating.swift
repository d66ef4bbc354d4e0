import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectModel {
    /// The defaults of transformable attributes in their stored form, by entity and key path.
    final var transformedDefaults: [String: Data] {
        var result: [String: Data] = [:]
        func add(_ attribute: NSAttributeDescription, at path: String, _ entity: NSEntityDescription) {
            if let composite = attribute as? NSCompositeAttributeDescription {
                for element in composite.elements { add(element, at: "\(path).\(element.name)", entity) }
            } else if attribute.attributeType == .transformableAttributeType,
                let value = attribute.defaultValue
            {
                result[path] = ValueTransforms.data(for: value, of: attribute, in: entity)
            }
        }
        for entity in entities {
            for case let attribute as NSAttributeDescription in entity.ownProperties {
                add(attribute, at: "\(entity.name ?? "").\(attribute.name)", entity)
            }
        }
        return result
    }
}

extension DatabaseStore {
    /// Migrates the store in place.
    ///
    /// - Parameters:
    ///   - metadata: The metadata that the store was found to have.
    ///   - entities: The entities of the new model that belong to the store's configuration; nil for all.
    ///   - backup: The backup to be kept before anything is done.
    /// - Throws: A `StoreError` of kind `inexpressible` if the migration needs a copy, or of kind `overtaken`
    ///   if another process has changed the store meanwhile; nothing has been done then.
    final func migrate(
        _ evolution: ModelEvolution, _ metadata: [String: Any], _ entities: Set<EntityIndex>?,
        _ backup: MigrationBackup?
    ) throws {
        guard let url else { return }
        let place = Self.place(of: url)
        guard let stored = try Self.driver().metadata(at: place, timeout: databaseOptions.timeout) else {
            throw StoreError(.overtaken, "another process has removed the store meanwhile", path: place)
        }
        let current = try StoreMetadata(plist: stored.plist)
        try current.requireVersion(of: StoreMetadata(metadata), at: url)
        try Self.driver().migrate(
            try storeMigration(evolution, current.values, entities), at: place, expecting: stored,
            options: databaseOptions,
            prepare: { () throws(StoreError) in
                do { try backup?.keep() } catch { throw StoreError(.reported(error), "\(error)") }
            }, announce: { MigrationDebug.log($0) })
    }

    private func storeMigration(
        _ evolution: ModelEvolution, _ metadata: [String: Any], _ entities: Set<EntityIndex>?
    ) throws -> StoreMigration {
        let names = entities.map { Set($0.map { evolution.destination[$0].name }) }
        let held = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let new = StoreMetadata(type: type, model: evolution.destination, entityNames: names)
        var values = StoreMetadata(metadata.merging(new.values) { _, new in new })
        values.removeUUID()
        values.unfinishedStage = options?[UnfinishedStageKey] as? String
        let isDeferred = options.isSet(NSPersistentStoreDeferredLightweightMigrationOptionKey)
        if isDeferred { values.isMigrationDeferred = true }
        return StoreMigration(
            evolution, sourceSubset: Set(held.keys.compactMap { evolution.source.indexByName[$0] }),
            subset: entities, metadata: try values.plist(),
            modelCache: try CompiledModelWriter(evolution.destination.document).modelCache(),
            transformedDefaults: persistentStoreCoordinator?.managedObjectModel.transformedDefaults ?? [:],
            isDeferred: isDeferred, isVerified: options.isSet(PersistentStoreMigrationVerificationKey))
    }

    /// Drops columns and tables that a migration has put aside: all of them, or the next one.
    ///
    /// Does nothing for a store without any.
    final func finishMigration(isWhole: Bool) throws {
        var metadata = StoreMetadata(self.metadata)
        guard metadata.isMigrationDeferred, let backend = openBackend else { return }
        do throws(StoreError) {
            if try backend.finishMigration(isWhole: isWhole) { return }
        } catch {
            throw error.nsError()
        }
        metadata.isMigrationDeferred = false
        self.metadata = metadata.values
    }
}

extension NSPersistentStore {
    /// Makes the indexes of the model that a store in a database lacks, but for those that enforce a rule;
    /// does nothing in other stores.
    package final func makeMissingIndexes() throws {
        do throws(StoreError) {
            try (self as? DatabaseStore)?.openBackend?.makeMissingIndexes()
        } catch {
            throw error.nsError()
        }
    }
}
