import CoreData

/// The opening of a container's stores.
struct StoreOpening {
    let coordinator: NSPersistentStoreCoordinator
    /// The plan by which a store of another version is migrated; nil if the differences say how.
    let plan: PlannedMigration?
    /// The container's classes by the names of their entities.
    let types: [String: ModelType]
    /// The container's own version.
    let current: PlannedMigration.Version

    /// Opens the store of a configuration, migrated if it is of another version.
    ///
    /// - Throws: `SwiftDataError`, with the error of Core Data in `underlyingError`.
    func open(_ configuration: any DataStoreConfiguration, named name: String) throws {
        if let configuration = configuration as? ModelConfiguration {
            try open(configuration, named: name)
        } else {
            try openDataStore(configuration, named: name)
        }
    }

    /// Opens a store of an app's own, which has the container's schema unless it names one.
    private func openDataStore(
        _ configuration: some DataStoreConfiguration, named name: String
    ) throws {
        var configuration = configuration
        if configuration.schema == nil { configuration.schema = current.schema }
        for entity in configuration.schema?.entities ?? [] {
            for case let attribute as Schema.Attribute in entity.properties where attribute.isTransformable {
                throw SwiftDataError(
                    .loadIssueModelContainer,
                    "\(entity.name).\(attribute.name) is transformable, which a data store cannot keep: let its "
                        + "type conform to Codable")
            }
        }
        do {
            try coordinator.addPersistentStore(
                ofType: CustomStore.type, configurationName: name, at: URL(fileURLWithPath: "/dev/null"),
                options: [
                    CustomStore.openingKey: CustomStore.Opening(configuration, plan?.plan, types)
                ])
        } catch {
            throw SwiftDataError(
                .loadIssueModelContainer, "the data store \(configuration.name) cannot be opened",
                underlying: error as NSError)
        }
    }

    private func open(_ configuration: ModelConfiguration, named name: String) throws {
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
