import CoreData
package import CoreDataModelFormat
package import Foundation

/// The metadata of a store, as values.
package struct StoreFacts: Sendable {
    package let type: String
    package let uuid: String
    /// The version of the framework that last wrote the store.
    package let frameworkVersion: Int?
    package let versionIdentifiers: [String]
    package let hashes: [String: Data]
    package let checksum: String?
    /// The metadata that the app added, as texts.
    package let others: [String: String]

    package init(_ values: [String: Any]) {
        type = values[NSStoreTypeKey] as? String ?? ""
        uuid = values[NSStoreUUIDKey] as? String ?? ""
        frameworkVersion = (values[Self.frameworkKey] as? NSNumber)?.intValue
        versionIdentifiers = (values[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).map { "\($0)" }
        hashes = values[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        checksum = values[NSPersistentStoreModelVersionChecksumKey] as? String
        others = values.filter { !Self.known.contains($0.key) }.mapValues(Self.text)
    }

    /// Returns the names of entities that differ between store and model, or that only one of the two has.
    package func differences(from document: ModelDocument) -> [String] {
        VersionHashes.differences(hashes, VersionHashes(document).byEntity)
    }

    private static let frameworkKey = "NSPersistenceFrameworkVersion"

    private static let known: Set<String> = [
        NSStoreTypeKey, NSStoreUUIDKey, frameworkKey, NSStoreModelVersionIdentifiersKey,
        NSStoreModelVersionHashesKey, NSPersistentStoreModelVersionChecksumKey,
        "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest", "_NSAutoVacuumLevel",
    ]

    private static func text(_ value: Any) -> String {
        switch value {
        case let data as Data: "\(data.count) bytes"
        case let date as Date: DateCoding.text(of: date) ?? "\(date)"
        case let list as [Any]: "[" + list.map(text).joined(separator: ", ") + "]"
        case let dictionary as [String: Any]:
            "{"
                + dictionary.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
                .joined(separator: ", ") + "}"
        default: "\(value)"
        }
    }
}
