import CoreDataModelFormat
import Foundation

/// The search for the model that a store was made with.
///
/// It looks at the model that the options name, then at the versions in the program's bundles, then into the
/// store itself, which carries a copy (sqlite-store §2).
struct SourceModelSearch {
    let metadata: [String: Any]
    let url: URL
    let destination: NSManagedObjectModel
    var options: [AnyHashable: Any]?
    var bundles: [Bundle]?

    private var given: NSManagedObjectModel? {
        options?[PersistentStoreMigrationSourceModelKey] as? NSManagedObjectModel
    }

    private var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

    func model(of storeClass: NSPersistentStore.Type) throws -> NSManagedObjectModel {
        if let given, fits(given) { return given }
        // Hashes leave out the names of derived attributes, so the model in use may have the hashes of the
        // store.
        if fits(destination), let cached = cached(storeClass) { return cached }
        if let bundled = NSManagedObjectModel.mergedModel(from: bundles, forStoreMetadata: metadata) {
            return bundled
        }
        if let cached = cached(storeClass) { return cached }
        throw missing
    }

    /// Returns the copy of the model that the store carries.
    private func cached(_ storeClass: NSPersistentStore.Type) -> NSManagedObjectModel? {
        guard let databaseClass = storeClass as? DatabaseStore.Type,
            let cached = try? databaseClass.readModel(at: url), fits(cached)
        else { return nil }
        return cached
    }

    /// Returns whether the model has all entities of the store in the store's versions; a store may be
    /// limited to some of a model's.
    private func fits(_ model: NSManagedObjectModel) -> Bool {
        let known = model.entityVersionHashesByName
        return !hashes.isEmpty && hashes.allSatisfy { known[$0] == $1 }
    }

    /// The error that says which version the store is of, which versions there are, and how each differs from
    /// the store's.
    private var missing: NSError {
        let versions =
            (given.map { [("the model of the options", $0)] } ?? [])
            + NSManagedObjectModel.allVersions(in: bundles).map {
                ($0.sourceURL?.lastPathComponent ?? "", $0)
            }
            + [("the model in use", destination)]
        let known = versions.map { name, version in
            let differing = differences(from: version)
            return
                "\(name) \(Self.identifiers(version.versionIdentifiers)) differs in \(differing.joined(separator: ", "))"
        }
        let identifiers = Self.identifiers(
            metadata[NSStoreModelVersionIdentifiersKey] as? [AnyHashable] ?? [])
        let reason =
            "Can't find model for source store: it is of version \(identifiers) with the entities "
            + "\(hashes.keys.sorted().joined(separator: ", ")). Known versions: \(known.joined(separator: "; "))."
        return CoreDataError.error(
            NSMigrationMissingSourceModelError, reason: reason,
            [
                "reason": "Can't find model for source store", "metadata": metadata, "URL": url,
                filePathKey: url.path,
                "NSIncompatibleEntities": differences(from: destination),
            ])
    }

    private func differences(from model: NSManagedObjectModel) -> [String] {
        VersionHashes.differences(hashes, model.entityVersionHashesByName)
    }

    private static func identifiers(_ identifiers: some Sequence<AnyHashable>) -> String {
        let texts = identifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
        return texts.isEmpty ? "without identifier" : "\"\(texts.joined(separator: ", "))\""
    }
}
