import CoreData

/// The code of the article on migration.
extension Articles {
    static func addMigrating(_ url: URL, to coordinator: NSPersistentStoreCoordinator) throws
        -> NSPersistentStore
    {
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                NSInferMappingModelAutomaticallyOption: true as NSNumber,
            ])
        return store
    }

    static func planMigration(
        of url: URL, to model: NSManagedObjectModel, backup: URL
    ) throws -> NSPersistentStoreDescription {
        let plan = try NSPersistentStoreCoordinator.lightweightMigrationPlan(forStoreAt: url, to: model)
        print(plan)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(backup as NSURL, forKey: PersistentStoreMigrationBackupKey)
        description.setOption(true as NSNumber, forKey: PersistentStoreMigrationVerificationKey)
        return description
    }

    final class NamePolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
            forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
            try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
            let author = manager.destinationInstances(
                forEntityMappingName: mapping.name, sourceInstances: [source]
            ).first
            let parts = (source.value(forKey: "name") as? String ?? "").split(separator: " ")
            author?.setValue(parts.dropLast().joined(separator: " "), forKey: "givenName")
            author?.setValue(parts.last.map(String.init), forKey: "familyName")
        }
    }

    static func migrate(_ url: URL, through versions: [NSManagedObjectModel]) throws {
        guard let start = try version(of: url, among: versions) else {
            throw CocoaError(.migrationMissingSourceModel)
        }
        for (old, new) in zip(versions[start...], versions[(start + 1)...]) {
            let mapping =
                try NSMappingModel(from: nil, forSourceModel: old, destinationModel: new)
                ?? NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
            let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
            let observation = manager.observe(\.migrationProgress) { manager, _ in
                print(manager.migrationProgress)
            }
            let next = url.appendingPathExtension("next")
            try manager.migrateStore(
                from: url, sourceType: NSSQLiteStoreType, with: mapping, toDestinationURL: next,
                destinationType: NSSQLiteStoreType)
            observation.invalidate()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
            try coordinator.replacePersistentStore(
                at: url, withPersistentStoreFrom: next, ofType: NSSQLiteStoreType)
            try coordinator.destroyPersistentStore(at: next, ofType: NSSQLiteStoreType)
        }
    }

    private static func version(of url: URL, among versions: [NSManagedObjectModel]) throws -> Int? {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url)
        let start = versions.firstIndex {
            $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
        return start
    }

    static func stages(
        _ first: NSManagedObjectModel, _ second: NSManagedObjectModel, _ third: NSManagedObjectModel
    ) -> NSStagedMigrationManager {
        let versions = [first, second, third]
        let references = versions.map {
            NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
        }
        let added = NSLightweightMigrationStage([references[0].versionChecksum])
        added.label = "add Publisher"
        let moved = NSCustomMigrationStage(migratingFrom: references[1], to: references[2])
        moved.label = "move publishers' names"
        moved.willMigrateHandler = { manager, _ in
            guard let context = manager.container?.newBackgroundContext() else { return }
            try context.performAndWait {
                for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
                    let publisher = NSEntityDescription.insertNewObject(
                        forEntityName: "Publisher", into: context)
                    publisher.setValue(book.value(forKey: "publisherName"), forKey: "name")
                    book.setValue(publisher, forKey: "publisher")
                }
                try context.save()
            }
        }
        let manager = NSStagedMigrationManager([added, moved])
        return manager
    }
}
