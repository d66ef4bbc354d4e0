import CoreDataModelFormat
import CoreDataValues
package import Foundation

/// A model with all its versions: an `.xcdatamodeld` or `.momd` folder, a text, or a single `.xcdatamodel` or
/// `.mom`.
package struct ModelPackage: Sendable {
    /// The base name of the package.
    package let name: String
    /// The versions, at least one, sorted by name.
    package let versions: [ModelVersion]
    package let currentVersionName: String
    /// Whether no file of the package names the current version, which is assumed to be the last one by name.
    package let assumesCurrentVersion: Bool
    /// False for a single `.xcdatamodel` or `.mom` and for a text that names no versions, which compile into a
    /// bare `.mom` (mom §1).
    package let isVersioned: Bool

    /// Makes a package; throws a `ModelFileError` if the current version is not among the versions.
    package init(
        name: String, versions: [ModelVersion], currentVersionName: String, isVersioned: Bool = true,
        assumesCurrentVersion: Bool = false
    ) throws {
        guard versions.contains(where: { $0.name == currentVersionName }) else {
            throw ModelFileError(name, .missingCurrentVersion(named: currentVersionName))
        }
        self.name = name
        self.versions = versions.sorted { $0.name.precedesByCodePoint($1.name) }
        self.currentVersionName = currentVersionName
        self.isVersioned = isVersioned
        self.assumesCurrentVersion = assumesCurrentVersion
    }

    package var current: ModelVersion { version(named: currentVersionName)! }

    package func version(named name: String) -> ModelVersion? {
        versions.first { $0.name == name }
    }

    /// Reads the package or file at `url`, of any of these kinds.
    package static func read(at url: URL) throws -> ModelPackage {
        try ModelReader().read(url)
    }

    /// Reads only the current version of the package or file at `url`.
    package static func readCurrentVersion(at url: URL) throws -> ModelVersion {
        try ModelReader().readCurrent(url)
    }
}

extension VersionInfo {
    /// Makes the list of a package's versions, with their hashes.
    init(_ package: ModelPackage) {
        let versions = package.versions.map { ($0.name, VersionHashes($0.document)) }
        self.init(
            currentVersionName: package.currentVersionName,
            hashes: Dictionary(versions.map { ($0, $1.byEntity) }) { first, _ in first },
            checksums: Dictionary(versions.map { ($0, $1.checksum) }) { first, _ in first })
    }
}
