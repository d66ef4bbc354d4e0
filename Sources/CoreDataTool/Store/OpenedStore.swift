package import CoreData
import CoreDataModelFormat
package import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import Foundation

/// A store that a command reads and never changes: its place, metadata and model, and access to its content.
package final class OpenedStore {
    package let url: URL
    package let metadata: StoreFacts
    /// The given model, or else the one in the store; nil if the store contains none or a damaged one.
    package let model: StoreModel?
    /// The damage to the store's metadata and model, as text. The tables may be intact nevertheless.
    package let damage: Damage
    package let location: ReadingLocation
    /// The databases of the kind that the store is in; nil for a file that is no database.
    private let databases: (any InspectableStores.Type)?

    /// Opens a store.
    ///
    /// - Parameter modelFile: A model, or a store that contains one, to use instead of the model in the
    ///   store.
    package init(at url: URL, model modelFile: URL? = nil) throws {
        self.url = url.isFileURL ? url.standardizedFileURL : url
        guard !url.isFileURL || FileManager.default.fileExists(atPath: self.url.path) else {
            throw ToolError("\(url.path): there is no such file")
        }
        location = try ReadingLocation(for: self.url)
        var damage = Damage()
        metadata = try Self.metadata(location.url, &damage)
        databases = try Self.databases(metadata.type)
        let cached = databases == nil ? nil : try Self.cachedModel(location.url, &damage)
        if let modelFile {
            model =
                damage.metadata == nil
                ? try StoreModel.matching(metadata, in: modelFile)
                : try StoreModel.current(of: modelFile)
        } else {
            model = cached
        }
        self.damage = damage
    }

    package struct Damage: Sendable {
        package var metadata: String?
        package var model: String?
    }

    /// Reads the metadata. If Core Data cannot read the metadata of a database, reads only the store's UUID.
    private static func metadata(_ url: URL, _ damage: inout Damage) throws -> StoreFacts {
        do {
            let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)
            return StoreFacts(values as? [String: Any] ?? [:])
        } catch CocoaError.fileReadNoSuchFile where !url.isFileURL {
            throw ToolError("\(url.place): there is no store")
        } catch {
            guard url.isFileURL, let stored = try? SQLiteStores.metadata(at: url.path) else { throw error }
            damage.metadata = ErrorText.reason(of: error)
            return StoreFacts([NSStoreTypeKey: NSSQLiteStoreType, NSStoreUUIDKey: stored.uuid])
        }
    }

    /// Reads the model in the store; nil for stores from before OS X 10.11 and for a damaged model.
    private static func cachedModel(_ url: URL, _ damage: inout Damage) throws -> StoreModel? {
        do {
            return try StoreModel.cached(in: url)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch let error as CocoaError where error.code == .fileReadCorruptFile {
            damage.model = ErrorText.reason(of: error)
            return nil
        }
    }

    private static func databases(_ type: String) throws -> (any InspectableStores.Type)? {
        switch type {
        case NSSQLiteStoreType: SQLiteStores.self
        case PostgreSQLStoreType: try postgreSQLStores() as? any InspectableStores.Type
        default: nil
        }
    }

    package var isDatabase: Bool { databases != nil }

    /// The files of the store; nil if it is on a server.
    package var files: StoreFiles? { url.isFileURL ? StoreFiles(url) : nil }

    static let storesWithoutModel = "only databases do, those of SQLite since OS X 10.11"

    /// Returns the model, or throws a `ToolError` that explains why there is none.
    package func requiredModel() throws(ToolError) -> StoreModel {
        if let model { return model }
        if let damage = damage.model {
            throw ToolError("\(url.place): \(damage): name a model with --model")
        }
        throw ToolError("\(url.place) carries no model (\(Self.storesWithoutModel)): name one with --model")
    }

    /// Returns the model if the store was made with it. The model in the store may be older or newer than the
    /// tables.
    package func matchingModel() throws(ToolError) -> StoreModel {
        let model = try requiredModel()
        let differing = differences(from: model)
        guard differing.isEmpty else {
            throw ToolError(
                "\(url.place): the store was made with another version of \(differing.joined(separator: ", ")) "
                    + "than its model cache has: name the right model with --model")
        }
        return model
    }

    /// Returns the entities whose versions differ from those of the model; none if the metadata is damaged
    /// and cannot be compared.
    package func differences(from model: StoreModel) -> [String] {
        damage.metadata == nil ? metadata.differences(from: model.document) : []
    }

    // MARK: Queries

    /// Calls a closure on the queue of a context for the store. The store is closed afterwards.
    ///
    /// Only when the last connection is closed does SQLite remove its log, and the program may end without
    /// another opportunity to close it.
    package func reading<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let coordinator = try coordinator(PlainModel.document(from: matchingModel().document))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        var failure: StoreError?
        context.reportUnreadableFaults { failure = failure ?? $0 }
        let result = Swift.Result { try context.performAndWait { try body(context) } }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        if let failure { throw failure }
        return try result.get()
    }

    /// Returns a coordinator with the store, whose model needs no classes of its app. The caller closes it.
    ///
    /// - Parameter isReadOnly: Whether the store is never written to. Otherwise it is opened at its own place.
    package func coordinator(isReadOnly: Bool) throws -> NSPersistentStoreCoordinator {
        try coordinator(PlainModel.document(from: matchingModel().document), isReadOnly: isReadOnly)
    }

    /// Returns a coordinator with the store, opened read-only unless it is to be written to.
    func coordinator(
        _ document: ModelDocument, isReadOnly: Bool = true
    ) throws -> NSPersistentStoreCoordinator {
        try requireFiniteTables()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(document))
        try coordinator.addPersistentStore(
            ofType: metadata.type, configurationName: nil, at: isReadOnly ? location.url : url,
            options: [
                NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly),
                NSIgnorePersistentStoreVersioningOption: NSNumber(value: true),
            ])
        return coordinator
    }

    // MARK: Pages

    /// The damage to the pages of the database, one sentence for each; each page is read once.
    private lazy var pageDamage: Result<[String], any Error> = Result {
        let database = try connection()
        defer { database.close() }
        return try database.damage(isQuick: true, atMost: Self.mostSentences)
    }

    private static let mostSentences = 20

    /// Returns the damage to the database, one sentence for each.
    func damage(isQuick: Bool) throws -> [String] {
        if isQuick { return try pageDamage.get() }
        let database = try connection()
        defer { database.close() }
        return try database.damage(isQuick: false, atMost: Self.mostSentences)
    }

    /// Throws a `ToolError` if pages of a table refer to the same pages again. A file that was made in this
    /// way on purpose has more rows than could ever be read.
    func requireFiniteTables() throws {
        guard isDatabase,
            let sentence = try pageDamage.get().first(where: { $0.contains("reference to page") })
        else { return }
        throw ToolError("\(url.place) is damaged, and reading it would not end: \(sentence)")
    }

    /// Returns a connection to the database, for SQL.
    package func connection() throws -> any InspectedConnection {
        guard let databases else {
            throw ToolError("\(url.place) is no database, but a store of type \(metadata.type)")
        }
        return try databases.inspect(url.isFileURL ? location.url.path : url.absoluteString)
    }

    /// Copies the database as of one moment, even while another process writes, together with the files of
    /// its large values.
    func copy(to target: URL) throws {
        guard metadata.type == NSSQLiteStoreType else {
            throw ToolError(
                "\(url.place) is a store of type \(metadata.type), and only copies of SQLite stores are "
                    + "repaired")
        }
        try SQLiteStores.copy(from: location.url.path, to: target.path)
    }

    /// Returns the tables and columns that the database has for the model's properties.
    package func schema(_ connection: any InspectedConnection) throws -> StoreSchema {
        let dialect = connection.dialect
        return try SchemaProbe(
            try requiredModel().compiled, catalog: dialect.catalog(on: connection), dialect: dialect
        ).schema()
    }
}
