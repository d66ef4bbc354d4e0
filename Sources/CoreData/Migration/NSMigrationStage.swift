public import Foundation

/// One step of a staged migration. Subclasses say which.
open class NSMigrationStage: NSObject {
    /// For people: what the step is for.
    open var label: String!

    public override init() {}

    /// The checksums of the versions that the step starts from.
    var startingChecksums: [String] { [] }

    open override var description: String { "<\(type(of: self)): \(label ?? "")>" }
}

/// A step between versions of which a lightweight migration leads from each to the next.
///
/// What follows decides where it ends: at the version that a custom stage behind it starts from, or at the model of the
/// coordinator.
open class NSLightweightMigrationStage: NSMigrationStage {
    /// `NSManagedObjectModel.versionChecksum` of each version, in their order.
    public let versionChecksums: [String]

    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
    }

    override var startingChecksums: [String] { versionChecksums }
}

/// A step between two versions with work of the app before and behind a lightweight migration from one to the other.
open class NSCustomMigrationStage: NSMigrationStage {
    public let currentModel: NSManagedObjectModelReference
    public let nextModel: NSManagedObjectModelReference
    /// Called while the store is of the current model; `container` of the manager has it open.
    open var willMigrateHandler:
        (
            (_ migrationManager: NSStagedMigrationManager, _ migrationStage: NSCustomMigrationStage) throws ->
                Void
        )?
    /// Called when the store is of the next model; `container` of the manager has it open.
    open var didMigrateHandler:
        (
            (_ migrationManager: NSStagedMigrationManager, _ migrationStage: NSCustomMigrationStage) throws ->
                Void
        )?

    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
    }

    override var startingChecksums: [String] { [currentModel.versionChecksum] }
}
