package import CoreDataModelFormat
package import CoreDataValues
package import Foundation

/// The target of a migration in place.
package struct StoreMigration: Sendable {
    package let evolution: ModelEvolution
    /// The entities of the store, in both models; nil for all.
    package let sourceSubset: Set<EntityIndex>?
    package let subset: Set<EntityIndex>?
    /// The metadata for the new model, with the app's own keys: a binary property list.
    package let metadata: Data
    package let modelCache: Data?
    /// The stored bytes of the defaults of transformable attributes, by entity and key path, since only the
    /// app's transformers can make them.
    package let transformedDefaults: [String: Data]
    /// Whether columns and tables that the new model no longer has stay until the app finishes deferred
    /// migrations.
    package let isDeferred: Bool
    /// Whether objects and related pairs are counted before and after. A difference is an error.
    package let isVerified: Bool

    package init(
        _ evolution: ModelEvolution, sourceSubset: Set<EntityIndex>?, subset: Set<EntityIndex>?,
        metadata: Data, modelCache: Data?, transformedDefaults: [String: Data], isDeferred: Bool = false,
        isVerified: Bool = false
    ) {
        self.evolution = evolution
        self.sourceSubset = sourceSubset
        self.subset = subset
        self.metadata = metadata
        self.modelCache = modelCache
        self.transformedDefaults = transformedDefaults
        self.isDeferred = isDeferred
        self.isVerified = isVerified
    }
}
