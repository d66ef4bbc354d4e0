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
