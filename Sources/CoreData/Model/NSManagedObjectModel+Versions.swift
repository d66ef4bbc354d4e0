package import CoreDataModelFormat
public import Foundation
import Synchronization

extension NSManagedObjectModel {
    /// Returns whether a store holds exactly the entities of a configuration, in the same versions.
    final func hasEntities(of configuration: String?, inVersionsOf metadata: [String: Any]) -> Bool {
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            let entities = entities(of: configuration, storedWith: metadata)
        else { return false }
        let names = Set(entities.compactMap(\.name))
        return entityVersionHashesByName.filter { names.contains($0.key) } == stored
    }

    /// Returns the entities of a store that is opened with a configuration: its own, and those subentities
    /// that the store has already, since they share its tables.
    final func entities(
        of configuration: String?, storedWith metadata: @autoclosure () -> [String: Any]?
    ) -> [NSEntityDescription]? {
        guard let own = entities(forConfigurationName: configuration) else { return nil }
        func below(_ entity: NSEntityDescription) -> [NSEntityDescription] {
            entity.subentities.flatMap { [$0] + below($0) }
        }
        let names = Set(own.map(\.name))
        let leftOut = own.flatMap(below).filter { !names.contains($0.name) }
        guard !leftOut.isEmpty,
            let stored = metadata()?[NSStoreModelVersionHashesKey] as? [String: Data]
        else { return own }
        return own + leftOut.filter { stored[$0.name ?? ""] != nil }
    }

    /// Returns the checksum of each version of a compiled model, by version name.
    ///
    /// - Parameter modelURL: A `.momd` folder.
    /// - Throws: `NSError` in `NSCocoaErrorDomain`: 260 (`fileReadNoSuchFile`) if there is no such folder,
    ///   134060 (`NSCoreDataError`) for a version that cannot be used. For a version that is no model, the
    ///   reader's error, which names the fault and has no Cocoa code.
    public class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(at: modelURL, includingPropertiesForKeys: nil)
        var checksums: [String: String] = [:]
        for file in files where file.pathExtension == "mom" {
            let model = NSManagedObjectModel()
            try model.thaw(file: Data(contentsOf: file))
            checksums[file.deletingPathExtension().lastPathComponent] = model.versionChecksum
        }
        return checksums
    }

    /// The model as authored.
    package final var document: ModelDocument {
        if let frozenModel { return frozenModel.compiled.document }
        var freezer = ModelFreezer()
        return freezer.document(of: self)
    }

    /// The hashes that tell versions apart.
    ///
    /// They are remembered, since a search for a store's version compares the hashes of many models: checking
    /// that a model has not changed costs a fraction of hashing it.
    final var versionHashes: VersionHashes {
        if let frozenModel { return frozenModel.compiled.versionHashes }
        let document = document
        return lastHashes.withLock { last in
            if let last, last.of == document { return last.hashes }
            let hashes = VersionHashes(document)
            last = (document, hashes)
            return hashes
        }
    }

    /// Returns the bytes of a `.mom` file.
    final func archived() throws -> Data { try CompiledModelWriter(document).mom() }

    /// Fills an empty model from the bytes of a `.mom` file.
    final func thaw(archive: Data) throws { try thaw(try CompiledModelReader().read(archive).document) }

    /// Fills an empty model from a file, which may have been damaged: throws if no coordinator would take the
    /// model.
    final func thaw(file: Data) throws {
        try thaw(archive: file)
        try requireUsable()
    }
}

extension NSEntityDescription {
    /// The hash that tells versions of the entity apart: 32 bytes (version-hash §2).
    ///
    /// An entity that is in no model has the hash that it would have in one.
    public var versionHash: Data {
        let name = name ?? ""
        if let model { return model.entityVersionHashesByName[name] ?? Data() }
        var freezer = ModelFreezer()
        let document = freezer.document(of: Array(sequence(first: self, next: \.superentity)))
        return VersionHashes(document).byEntity[name] ?? Data()
    }
}

extension NSPropertyDescription {
    /// The hash that tells versions of the property apart: 32 bytes (version-hash §1).
    ///
    /// Empty for kinds of property that no store keeps.
    public var versionHash: Data {
        var freezer = ModelFreezer()
        switch self {
        case let attribute as NSAttributeDescription:
            return freezer.element(of: attribute, at: name).versionHash(in: freezer.sortedComposites)
        case let relationship as NSRelationshipDescription:
            return freezer.element(of: relationship, at: name).versionHash(in: owner?.name ?? "")
        default:
            return Data()
        }
    }
}
