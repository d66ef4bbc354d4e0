import CoreData

/// The opening of a container's stores.
struct StoreOpening {
    let coordinator: NSPersistentStoreCoordinator
    /// The plan by which a store of another version is migrated; nil if the differences say how.
    let plan: PlannedMigration?
    /// The container's own version.
    let current: PlannedMigration.Version

    /// Opens the store of a configuration, migrated if it is of another version.
    ///
    /// - Throws: `SwiftDataError`, with the error of Core Data in `underlyingError`.
    func open(_ configuration: ModelConfiguration, named name: String) throws {
        var options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: true,
            NSReadOnlyPersistentStoreOption: !configuration.allowsSave,
            NSPersistentHistoryTrackingKey: true,
        ]
        if let plan, !configuration.isStoredInMemoryOnly {
            try plan.requireVersion(of: configuration.url, name, current: current)
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = try plan.manager()
        }
        do {
            if configuration.url.isFileURL, !configuration.isStoredInMemoryOnly, configuration.allowsSave {
                try FileManager.default.createDirectory(
                    at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            let store = try coordinator.addPersistentStore(
                ofType: NSPersistentStoreDescription(url: configuration.url).type, configurationName: name,
                at: configuration.url, options: options)
            if configuration.allowsSave { try store.makeMissingIndexes() }
        } catch {
            throw Self.translated(error as NSError, of: configuration.url)
        }
    }

    private static func translated(_ error: NSError, of url: URL) -> SwiftDataError {
        let code: SwiftDataError.Code =
            switch error.code {
            case NSStagedMigrationBackwardMigrationError: .backwardMigration
            case NSManagedObjectModelReferenceNotFoundError: .unknownSchema
            default: .loadIssueModelContainer
            }
        return SwiftDataError(code, "the store \(url.path) cannot be opened", underlying: error)
    }
}
