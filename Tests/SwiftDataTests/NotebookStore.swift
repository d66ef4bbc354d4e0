#if SwiftData
import SwiftData

/// The configuration of a store in a JSON file.
final class NotebookConfiguration: DataStoreConfiguration {
    typealias Store = NotebookStore

    let name: String
    var schema: Schema?
    let file: URL

    init(name: String, schema: Schema? = nil, file: URL) {
        (self.name, self.schema, self.file) = (name, schema, file)
    }

    static func == (left: NotebookConfiguration, right: NotebookConfiguration) -> Bool {
        left.name == right.name && left.file == right.file
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(file)
    }
}

/// A store that keeps the snapshots of all models in one JSON file, and leaves conditions and orders to the
/// framework.
final class NotebookStore: DataStore {
    typealias Configuration = NotebookConfiguration
    typealias Snapshot = DefaultSnapshot

    let configuration: NotebookConfiguration
    let schema: Schema
    var identifier: String { configuration.file.lastPathComponent }

    init(_ configuration: NotebookConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        schema = configuration.schema!
        // A file that cannot be read is an error of the container.
        _ = try read()
    }

    func fetch<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> DataStoreFetchResult<Model, DefaultSnapshot> {
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let all = try read()
        let entity = Schema.entityName(for: Model.self)
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: all.values.filter { $0.persistentIdentifier.entityName == entity },
            relatedSnapshots: all)
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        var all = try read()
        var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            permanent[snapshot.persistentIdentifier] = try .identifier(
                for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
        }
        for snapshot in request.inserted + request.updated {
            let id = snapshot.persistentIdentifier
            let saved = snapshot.copy(
                persistentIdentifier: permanent[id] ?? id, remappedIdentifiers: permanent)
            all[saved.persistentIdentifier] = saved
        }
        for snapshot in request.deleted { all[snapshot.persistentIdentifier] = nil }
        try write(all)
        return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: permanent)
    }

    private func read() throws -> [PersistentIdentifier: DefaultSnapshot] {
        guard FileManager.default.fileExists(atPath: configuration.file.path) else { return [:] }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let all = try decoder.decode([DefaultSnapshot].self, from: Data(contentsOf: configuration.file))
        return Dictionary(uniqueKeysWithValues: all.map { ($0.persistentIdentifier, $0) })
    }

    private func write(_ all: [PersistentIdentifier: DefaultSnapshot]) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(Array(all.values)).write(to: configuration.file, options: .atomic)
    }
}
#endif
