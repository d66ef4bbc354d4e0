import CoreDataValues
package import Foundation

/// The version hashes of a model, which tell whether a store was written with it (version-hash §2).
///
/// A mistake in the model, such as an unknown parent, changes the hash and never fails, since hashes are also
/// computed of models that do not compile.
package struct VersionHashes: Sendable, Hashable {
    /// The hashes by entity name, 32 bytes each.
    package let byEntity: [String: Data]
    /// The value of `NSStoreModelVersionHashesDigest`.
    package let digest: String
    /// The value of `NSStoreModelVersionChecksumKey`, which is the public `versionChecksum`.
    package let checksum: String

    package init(_ document: ModelDocument) {
        var hasher = EntityHasher(document)
        var hashes: [String: Data] = [:]
        for entity in document.entities { hashes[entity.name] = hasher.hash(of: entity) }
        self.init(byEntity: hashes)
    }

    /// Computes the digest and checksum of known entity hashes.
    package init(byEntity hashes: [String: Data]) {
        byEntity = hashes
        let sorted = hashes.sorted { $0.key.precedesByCodePoint($1.key) }
        let named = sorted.reduce(into: Data()) { $0 += Data($1.key.utf8) + $1.value }
        digest = SHA2.sha512(named).base64EncodedString()
        checksum = SHA2.sha256(sorted.reduce(into: Data()) { $0 += $1.value }).base64EncodedString()
    }

    /// Returns the hashes of a store that has only these entities; nil stands for all.
    package func limited(to names: Set<String>?) -> VersionHashes {
        guard let names else { return self }
        return VersionHashes(byEntity: byEntity.filter { names.contains($0.key) })
    }

    /// Returns the names of entities that only one version has, or whose hashes differ, sorted.
    package static func differences(_ one: [String: Data], _ other: [String: Data]) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }
}
