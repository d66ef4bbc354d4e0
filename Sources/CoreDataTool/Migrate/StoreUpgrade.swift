package import CoreData
package import CoreDataJSON
package import CoreDataModelFormat
import Foundation

/// A migration of a store to another version of its model, which can be shown before it is run.
package struct StoreUpgrade {
    private let url: URL
    private let type: String
    private let model: NSManagedObjectModel
    private let configuration: String?
    /// Options that contain the store's own model, for a coordinator that would not find it.
    private let options: [AnyHashable: Any]
    package let plan: StoreMigrationPlan

    /// Plans the migration, without changing the store or the files beside it.
    ///
    /// - Parameters:
    ///   - former: A model that contains the version with which the store was made; nil for the model in the
    ///     store.
    ///   - configuration: The configuration of the model for which the store is; nil for all entities.
    package init(
        of url: URL, from former: URL? = nil, to document: ModelDocument, configuration: String? = nil
    ) throws {
        let store = try OpenedStore(at: url, model: former)
        guard let source = store.model else {
            throw ToolError(
                "\(url.place) carries no model (\(OpenedStore.storesWithoutModel)): name the one it was made with, by "
                    + "--from-model")
        }
        let options: [AnyHashable: Any] = [
            PersistentStoreMigrationSourceModelKey: try NSManagedObjectModel(source.document)
        ]
        self.options = options
        self.url = store.url
        type = store.metadata.type
        model = try NSManagedObjectModel(document)
        self.configuration = configuration
        if let configuration, model.entities(forConfigurationName: configuration) == nil {
            let names = model.configurations.sorted().joined(separator: ", ")
            throw ToolError("the model has no configuration \"\(configuration)\"; it has \(names)")
        }
        // The copy that is read is removed when the store is released.
        plan = try withExtendedLifetime(store) { [model, type] in
            try NSPersistentStoreCoordinator.lightweightMigrationPlan(
                forStoreAt: store.location.url, type: NSPersistentStore.StoreType(rawValue: type),
                configurationName: configuration, options: options, to: model)
        }
    }

    // MARK: Text and JSON

    /// Returns the plan as text, with its SQL on request.
    package func text(includesStatements: Bool) -> String {
        let parts = [plan.description, includesStatements ? plan.script : ""]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    package func json(includesStatements: Bool) -> JSONValue {
        plan.json(includesStatements: includesStatements)
    }

    // MARK: Migrating

    /// Whether the plan shows no reason for the migration to fail.
    package var isPossible: Bool { refusal == nil && plan.violations.isEmpty }

    /// The reason why no mapping can be inferred; nil if one can be.
    package var refusal: ToolError? {
        guard plan.method == .impossible else { return nil }
        return ToolError(
            "\(url.place): no mapping can be inferred\n"
                + plan.obstacles.map { "  \($0)" }.joined(separator: "\n"))
    }

    /// Migrates the store; a failure leaves it as it was.
    ///
    /// - Parameters:
    ///   - backup: The place for a copy of the store. Only an earlier backup may be there, and it is kept.
    ///   - verifies: Whether to count objects and related pairs before and after.
    package func run(backup: URL? = nil, verifies: Bool = false) throws {
        if let refusal { throw refusal }
        if plan.method == .notNeeded { return }
        var options = options
        options[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: true)
        options[NSInferMappingModelAutomaticallyOption] = NSNumber(value: true)
        options[PersistentStoreMigrationVerificationKey] = NSNumber(value: verifies)
        options[PersistentStoreMigrationBackupKey] = backup
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: configuration, at: url, options: options)
        try coordinator.remove(store)
    }
}
