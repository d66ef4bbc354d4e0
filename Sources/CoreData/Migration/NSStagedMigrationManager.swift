public import Foundation

/// The steps that migrate a store from any version to that of its coordinator, passed to the store as its
/// option `NSPersistentStoreStagedMigrationManagerOptionKey`.
///
/// A store starts with the first stage that names its version. The whole chain is checked before the first
/// step is taken; each step is a migration of its own, so that a failure leaves the store at the version that
/// the last step led to.
open class NSStagedMigrationManager: NSObject {
    /// The stages, in their order.
    public let stages: [NSMigrationStage]
    /// The container that has the store open with the model of the current step; nil while no handler runs.
    public internal(set) var container: NSPersistentContainer?

    /// Makes a manager of stages, in their order.
    public init(_ stages: [NSMigrationStage]) {
        self.stages = stages
    }
}
