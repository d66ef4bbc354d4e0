import CoreData
import Foundation

/// A staged migration with handlers before and after the first stage. Each adds an item, unless there is one
/// already.
enum Stages {
    /// The content of the store between the steps.
    static let between = [
        "first old+ older will", "second old+ older will", "second did old+ older will",
    ]

    static func manager() -> NSStagedMigrationManager {
        let custom = NSCustomMigrationStage(migratingFrom: reference(.first), to: reference(.second))
        custom.willMigrateHandler = { manager, _ in try add("will", manager) }
        custom.didMigrateHandler = { manager, _ in try add("did", manager) }
        return NSStagedMigrationManager([custom])
    }

    private static func reference(_ version: Items.Version) -> NSManagedObjectModelReference {
        let model = Items.model(version)
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    private static func add(_ name: String, _ manager: NSStagedMigrationManager) throws {
        guard let context = manager.container?.newBackgroundContext() else { return }
        let isThere = try context.performAndWait { try !Items.find([name], in: context).isEmpty }
        if !isThere { try Items.insert([name], into: context) }
    }
}
