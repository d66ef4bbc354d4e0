import SwiftData

/// A store in a folder with a JSON file for each model, which people read and keep under version control.
public struct FolderConfiguration: DataStoreConfiguration {
    public typealias Store = FolderStore

    public let name: String
    public var schema: Schema?
    public let folder: URL

    public init(_ name: String = "Folder", schema: Schema? = nil, folder: URL) {
        self.name = name
        self.schema = schema
        self.folder = folder
    }

    public static func == (left: Self, right: Self) -> Bool { left.folder == right.folder }
    public func hash(into hasher: inout Hasher) { hasher.combine(folder) }
}

/// The store: it reads all files for each fetch, and leaves conditions and orders to the framework.
public final class FolderStore: DataStore {
    public typealias Snapshot = DefaultSnapshot

    public let configuration: FolderConfiguration
    public let schema: Schema
    public var identifier: String { configuration.name }

    public init(
        _ configuration: FolderConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws {
        self.configuration = configuration
        schema = configuration.schema ?? Schema(versionedSchema: BirdsV2.self)
        try FileManager.default.createDirectory(
            at: configuration.folder, withIntermediateDirectories: true)
    }

    // MARK: Reading

    public func fetch<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> DataStoreFetchResult<Model, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let prefix = Schema.entityName(for: Model.self) + "-"
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let files = try FileManager.default.contentsOfDirectory(
            at: configuration.folder, includingPropertiesForKeys: nil)
        let snapshots = try files.filter { $0.lastPathComponent.hasPrefix(prefix) }.map {
            try decoder.decode(DefaultSnapshot.self, from: Data(contentsOf: $0))
        }
        return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: snapshots)
    }

    // MARK: Writing

    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            permanent[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        for snapshot in request.inserted + request.updated {
            let id = snapshot.persistentIdentifier
            let saved = snapshot.copy(
                persistentIdentifier: permanent[id] ?? id, remappedIdentifiers: permanent)
            try encoder.encode(saved).write(to: file(of: saved.persistentIdentifier), options: .atomic)
        }
        for snapshot in request.deleted {
            try FileManager.default.removeItem(at: file(of: snapshot.persistentIdentifier))
        }
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: permanent)
    }

    private func file(of id: PersistentIdentifier) -> URL {
        let number = "\(id)".split(separator: "/").last ?? ""
        return configuration.folder.appending(path: "\(id.entityName)-\(number).json")
    }
}
