public import Foundation

/// One step of a staged migration; its subclasses are the kinds of steps.
open class NSMigrationStage: NSObject {
    /// A text for readers about the purpose of the step.
    open var label: String!

    /// Makes a stage without a label.
    public override init() {}

    /// The checksums of the versions that the step starts from.
    var startingChecksums: [String] { [] }

    /// The class and the label, as text.
    open override var description: String { "<\(type(of: self)): \(label ?? "")>" }
}

/// A step through versions that a lightweight migration can migrate, each to the next.
///
/// The stage behind it decides where it ends: at the version that a custom stage starts from, or, as the last
/// stage, at the model of the coordinator.
open class NSLightweightMigrationStage: NSMigrationStage {
    /// The `NSManagedObjectModel.versionChecksum` of each version, in their order.
    public let versionChecksums: [String]

    /// Makes a stage for versions by their checksums, in their order.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
    }

    override var startingChecksums: [String] { versionChecksums }
}

/// A step between two versions with work of the app before and after a lightweight migration from one to the
/// other.
open class NSCustomMigrationStage: NSMigrationStage {
    /// The version that the step starts from.
    public let currentModel: NSManagedObjectModelReference
    /// The version that the step leads to.
    public let nextModel: NSManagedObjectModelReference
    /// The work of the app on the store of the current model, which `container` of the manager has open.
    ///
    /// An error that it throws ends the migration; the store stays of the current version.
    open var willMigrateHandler:
        (
            (_ migrationManager: NSStagedMigrationManager, _ migrationStage: NSCustomMigrationStage) throws ->
                Void
        )?
    /// The work of the app on the store of the next model, which `container` of the manager has open.
    ///
    /// An error that it throws ends the migration; the store stays of the next version, and the handler is
    /// called again when the store is opened next, also if the process died in it.
    open var didMigrateHandler:
        (
            (_ migrationManager: NSStagedMigrationManager, _ migrationStage: NSCustomMigrationStage) throws ->
                Void
        )?

    /// Makes a stage between two versions, without handlers.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
    }

    override var startingChecksums: [String] { [currentModel.versionChecksum] }
}
