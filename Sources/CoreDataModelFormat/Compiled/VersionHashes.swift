import CoreDataValues
package import Foundation

/// The version hashes of a model, which tell whether a store was written with it (version-hash §3).
///
/// A mistake in the model, such as an unknown parent, changes the hash but is never an error, since hashes
/// are also computed for models that do not compile.
package struct VersionHashes: Sendable, Hashable {
    /// The 32 bytes of each entity's hash (version-hash §2), by name.
    package let byEntity: [String: Data]
    /// `NSStoreModelVersionHashesDigest`.
    package let digest: String
    /// `NSStoreModelVersionChecksumKey`, the public `versionChecksum`.
    package let checksum: String

    package init(_ document: ModelDocument) {
        var hasher = EntityHasher(document)
        var hashes: [String: Data] = [:]
        for entity in document.entities { hashes[entity.name] = hasher.hash(of: entity) }
        self.init(byEntity: hashes)
    }

    /// Computes digest and checksum from the hashes of the entities.
    package init(byEntity hashes: [String: Data]) {
        byEntity = hashes
        let sorted = hashes.sorted(byCodePointsOf: \.key)
        let named = sorted.reduce(into: Data()) { $0 += Data($1.key.utf8) + $1.value }
        digest = SHA2.sha512(named).base64EncodedString()
        checksum = SHA2.sha256(sorted.reduce(into: Data()) { $0 += $1.value }).base64EncodedString()
    }

    /// Returns the hashes of the entities with the given names; of all entities if `names` is nil.
    package func limited(to names: Set<String>?) -> VersionHashes {
        guard let names else { return self }
        return VersionHashes(byEntity: byEntity.filter { names.contains($0.key) })
    }

    /// Returns the sorted names of the entities that differ between two versions, or that only one has.
    package static func differences(_ one: [String: Data], _ other: [String: Data]) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }
}
