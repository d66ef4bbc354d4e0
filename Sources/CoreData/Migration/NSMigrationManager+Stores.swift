import CoreDataModelFormat
import CoreDataStore
import Foundation

// Stores that are migrated without their objects.
extension NSMigrationManager {
    /// Copies a SQLite store to a free place and migrates the copy in place, if that has the same result as
    /// making its objects anew: the mapping is the inferred one, and there is neither a policy nor a subclass
    /// of the manager to be called.
    ///
    /// - Returns: False if objects have to be made; there is no copy then.
    final func migrateStoreItself(
        _ from: StoreLocation, to: StoreLocation, _ mapping: NSMappingModel,
        _ destinationModel: NSManagedObjectModel
    ) throws -> Bool {
        guard usesStoreSpecificMigrationManager, type(of: self) == NSMigrationManager.self,
            from.isSQLite, to.isSQLite, let metadata = from.metadata,
            source.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        else { return false }
        let evolution = try ModelEvolution(fromModel: source.model, toModel: destinationModel)
        guard evolution.obstacles.isEmpty, mapping.document == MappingDocument(evolution) else {
            return false
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destinationModel)
        let copy = SQLiteStore(_adding: coordinator, configurationName: nil, at: to.url, options: to.options)
        do {
            try SQLiteStore.copyFiles(from: from.url, to: to.url, from.options)
            try copy.migrate(evolution, metadata, nil, nil)
            return true
        } catch {
            guard let error = error as? StoreError else { throw error }
            guard case .inexpressible = error.kind else { throw error.nsError() }
            for file in SQLiteStore.files(ofStoreAt: to.url) { try? FileManager.default.removeItem(at: file) }
            return false
        }
    }
}
