import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The key of `StoreMetadata.unfinishedStage` in the metadata of stores, and in the options with which a
/// migration in stages opens them.
let UnfinishedStageKey = "UnfinishedMigrationStage"

/// The metadata dictionary of a store (sqlite-store §2): the framework's values about the model, and the
/// app's own.
struct StoreMetadata {
    /// The version of Core Data whose layout new stores follow.
    static let frameworkVersion = 1344

    private(set) var values: [String: Any]

    init(_ values: [String: Any]) {
        self.values = values
    }

    /// Makes the metadata of a new store for some entities of a model.
    init(type: String, model: CompiledModel, entityNames: Set<String>?) {
        let hashes = model.versionHashes.limited(to: entityNames)
        values = [
            NSStoreTypeKey: type,
            "NSPersistenceFrameworkVersion": NSNumber(value: Self.frameworkVersion),
            NSStoreModelVersionHashesKey: hashes.byEntity,
            "NSStoreModelVersionHashesVersion": NSNumber(value: 3),
            NSStoreModelVersionIdentifiersKey: model.document.versionIdentifiers,
            "_NSAutoVacuumLevel": "2",
            "NSStoreModelVersionHashesDigest": hashes.digest,
            NSPersistentStoreModelVersionChecksumKey: hashes.checksum,
        ]
    }

    /// Whether a migration has put columns and tables aside that are still to be dropped.
    var isMigrationDeferred: Bool {
        get {
            (values[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? NSNumber)?.boolValue ?? false
        }
        set {
            values[NSPersistentStoreDeferredLightweightMigrationOptionKey] = newValue ? true as NSNumber : nil
        }
    }

    /// The checksum of the version to which a custom stage has migrated the store, until the last handler of
    /// that stage has ended; nil if no stage is unfinished.
    var unfinishedStage: String? {
        get { values[UnfinishedStageKey] as? String }
        set { values[UnfinishedStageKey] = newValue }
    }

    /// Notes that a migration has given all objects new keys (`PersistentStoreKeyMovesKey`).
    mutating func noteNewKeys() {
        let earlier = values[PersistentStoreKeyMovesKey] as? [Any] ?? []
        values[PersistentStoreKeyMovesKey] = earlier + [[String: NSNumber]()]
    }

    /// Throws an error of kind `overtaken` if the version of the store has changed since `found` was read.
    func requireVersion(of found: StoreMetadata, at url: URL) throws(StoreError) {
        let key = NSStoreModelVersionHashesKey
        guard values[key] as? [String: Data] != found.values[key] as? [String: Data] else { return }
        throw StoreError(.overtaken, "another process has migrated the store meanwhile", path: url.path)
    }

    /// Removes the identifier, which the store's class keeps beside the dictionary.
    mutating func removeUUID() { values[NSStoreUUIDKey] = nil }

    /// Returns the values with the identifier of the store.
    func values(of identifier: String?) -> [String: Any] {
        values.merging(identifier.map { [NSStoreUUIDKey: $0] } ?? [:]) { $1 }
    }

    /// Returns the values that an app sets, with those that the framework needs to open the store again if
    /// the app left them out.
    func replaced(by values: [String: Any]) -> StoreMetadata {
        var metadata = StoreMetadata(
            self.values.filter { Self.frameworkKeys.contains($0.key) }.merging(values) { $1 })
        metadata.removeUUID()
        return metadata
    }

    /// Returns the metadata to write for values that an app sets for a store that is not open. The
    /// framework's own keys stay as they are, since the store may have been migrated after the app read its
    /// metadata.
    func updated(by values: [String: Any]) -> StoreMetadata {
        let kept = Self.frameworkKeys.union([
            NSPersistentStoreDeferredLightweightMigrationOptionKey, UnfinishedStageKey,
        ])
        var metadata = StoreMetadata(
            self.values.filter { kept.contains($0.key) }.merging(values.filter { !kept.contains($0.key) }) {
                own, _ in own
            })
        metadata.removeUUID()
        return metadata
    }

    /// Returns these values with the changes that lead from one set of values to another. All other keys stay
    /// unchanged, since another process may have changed them.
    func changed(as former: StoreMetadata, to new: StoreMetadata) -> StoreMetadata {
        var metadata = self
        for key in Set(former.values.keys).union(new.values.keys)
        where former.entry(key) != new.entry(key) { metadata.values[key] = new.values[key] }
        return metadata
    }

    /// Returns the value of a key in a form that can be compared; empty if there is none.
    private func entry(_ key: String) -> NSDictionary {
        (values[key].map { [key: $0] } ?? [:]) as NSDictionary
    }

    private static let frameworkKeys: Set<String> = [
        NSStoreTypeKey, "NSPersistenceFrameworkVersion", NSStoreModelVersionHashesKey,
        "NSStoreModelVersionHashesVersion", NSStoreModelVersionIdentifiersKey, "_NSAutoVacuumLevel",
        "NSStoreModelVersionHashesDigest", NSPersistentStoreModelVersionChecksumKey,
    ]

    init(plist: Data) throws {
        do {
            guard let values = try ForeignPropertyList.object(plist) as? [String: Any] else {
                throw ModelFileError("", .malformedPropertyList("it is no dictionary"))
            }
            self.values = values
        } catch {
            let reason = plist.isEmpty ? "it is missing" : "\(error)"
            throw StoreError(.corrupt, "the metadata in the store is damaged: \(reason)")
        }
    }

    func plist() throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    }

    /// Returns the names of entities whose hashes differ, or that only the store or only the model has.
    func differingEntities(from model: CompiledModel, entityNames: Set<String>?) -> [String] {
        let stored = values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return VersionHashes.differences(stored, model.versionHashes.limited(to: entityNames).byEntity)
    }

    /// Throws unless the entities of a model are those with which the store was made.
    func requireFit(of model: FrozenModel, entityNames: Set<String>?, in store: NSPersistentStore) throws {
        if store.options.isSet(NSIgnorePersistentStoreVersioningOption) { return }
        let differing = differingEntities(from: model.compiled, entityNames: entityNames)
        if differing.isEmpty { return }
        let reason = "The model used to open the store is incompatible with the one used to create the store"
        throw CoreDataError.error(
            NSPersistentStoreIncompatibleVersionHashError,
            reason: "\(reason). Entities that differ: \(differing.joined(separator: ", ")).",
            [
                "reason": reason, "metadata": values, "NSIncompatibleEntities": differing,
                filePathKey: store.url?.path ?? "",
            ])
    }
}

extension FrozenModel {
    /// Returns the names of a configuration's entities; nil for all.
    func names(of entities: Set<EntityIndex>?) -> Set<String>? {
        entities.map { Set($0.map { compiled[$0].name }) }
    }
}
