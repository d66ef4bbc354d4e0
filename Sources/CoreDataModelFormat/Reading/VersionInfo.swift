package import Foundation

/// The `VersionInfo.plist` of a `.momd` (mom §1): the current version, and the hashes of all versions.
package struct VersionInfo: Sendable, Hashable {
    package static let fileName = "VersionInfo.plist"

    package var currentVersionName: String
    /// The entity hashes by version and entity name.
    package var hashes: [String: [String: Data]]
    /// The checksums by version; empty in packages compiled before Xcode 15.
    package var checksums: [String: String]

    package init(
        currentVersionName: String, hashes: [String: [String: Data]], checksums: [String: String]
    ) {
        self.currentVersionName = currentVersionName
        self.hashes = hashes
        self.checksums = checksums
    }

    package init(_ data: Data, path: String) throws {
        let root = try PropertyListFile(data, path: path).root
        guard let current = root[Key.currentVersionName] as? String else {
            throw ModelFileError(path, .malformedPropertyList("no \(Key.currentVersionName)"))
        }
        currentVersionName = current
        hashes = root[Key.hashes] as? [String: [String: Data]] ?? [:]
        checksums = root[Key.checksums] as? [String: String] ?? [:]
    }

    package var data: Data {
        let hashes = hashes.mapValues { PropertyList.dictionary($0.mapValues { .data($0) }) }
        return BinaryPropertyListWriter.write(
            .dictionary([
                Key.currentVersionName: .string(currentVersionName),
                Key.hashes: .dictionary(hashes),
                Key.checksums: .dictionary(checksums.mapValues { .string($0) }),
            ]))
    }

    private enum Key {
        static let currentVersionName = "NSManagedObjectModel_CurrentVersionName"
        static let hashes = "NSManagedObjectModel_VersionHashes"
        static let checksums = "NSManagedObjectModel_VersionChecksums"
    }
}
