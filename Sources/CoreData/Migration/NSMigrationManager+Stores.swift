import CoreDataModelFormat
import CoreDataStore
import Foundation

// Stores that are migrated without their objects.
extension NSMigrationManager {
    /// Copies a SQLite store and migrates the copy in place, if nobody could tell the difference from making its objects
    /// anew: the mapping is the inferred one, no policy and no subclass is to be called, and nothing is at the destination.
    ///
    /// - Returns: False if it takes objects; nothing has been done then. A failure leaves no destination.
    final func migrateStoreItself(
        _ from: StorePlace, to: StorePlace, _ mapping: NSMappingModel,
        _ destinationModel: NSManagedObjectModel
    ) throws -> Bool {
        guard usesStoreSpecificMigrationManager, type(of: self) == NSMigrationManager.self,
            from.isWrittenPiecewise, to.isWrittenPiecewise, to.isFree, let metadata = from.metadata,
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
            try copy.migrate(evolution, metadata, nil)
            return true
        } catch {
            try? SQLiteStore.removeStore(at: to.url)
            guard let error = error as? StoreError else { throw error }
            if case .inexpressible = error.kind { return false }
            throw error.nsError()
        }
    }
}
