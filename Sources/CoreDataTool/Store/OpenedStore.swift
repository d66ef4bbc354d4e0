package import CoreData
import CoreDataModelFormat
package import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import Foundation

/// A store that is looked at, and never changed: its file, metadata and model, and the ways to ask it.
package final class OpenedStore {
    package let url: URL
    package let metadata: StoreMetadata
    /// Nil for a store that carries none, when none was given.
    package let model: StoreModel?
    let place: ReadingPlace

    /// - Parameter modelFile: a model, or a store that carries one, to use instead of the one the store carries.
    package init(at url: URL, model modelFile: URL? = nil) throws {
        self.url = url.standardizedFileURL
        guard FileManager.default.fileExists(atPath: self.url.path) else {
            throw ToolError("\(url.path): there is no such file")
        }
        place = try ReadingPlace(for: self.url)
        let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: place.url)
        metadata = StoreMetadata(values as? [String: Any] ?? [:])
        if let modelFile {
            model = try StoreModel.matching(metadata, in: modelFile)
        } else {
            model = metadata.type == NSSQLiteStoreType ? try Self.cachedModel(place.url) : nil
        }
    }

    /// Nil for stores from before OS X 10.11.
    private static func cachedModel(_ url: URL) throws -> StoreModel? {
        do {
            return try StoreModel.cached(in: url)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    package var isSQLite: Bool { metadata.type == NSSQLiteStoreType }

    static let storesWithoutModel = "only SQLite stores do, since OS X 10.11"

    /// The model, or why there is none.
    package func requiredModel() throws(ToolError) -> StoreModel {
        if let model { return model }
        throw ToolError("\(url.path) carries no model (\(Self.storesWithoutModel)): name one with --model")
    }

    /// The model, if the store was made with it. A cache may be older or newer than the tables.
    package func matchingModel() throws(ToolError) -> StoreModel {
        let model = try requiredModel()
        let differing = metadata.differences(from: model.document)
        guard differing.isEmpty else {
            throw ToolError(
                "\(url.path): the store was made with another version of \(differing.joined(separator: ", ")) "
                    + "than its model cache has: name the right model with --model")
        }
        return model
    }

    // MARK: Ways to ask

    /// Runs a block on the queue of a context over the store, which is open only as long: SQLite puts its files away
    /// when the last connection closes, and a program may end before somebody else thinks of it.
    package func reading<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let coordinator = try coordinator(PlainModel.document(from: matchingModel().document))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        let result = Swift.Result { try context.performAndWait { try body(context) } }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        return try result.get()
    }

    /// A coordinator that has the store, and cannot change it.
    func coordinator(_ document: ModelDocument) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(document))
        try coordinator.addPersistentStore(
            ofType: metadata.type, configurationName: nil, at: place.url,
            options: [
                NSReadOnlyPersistentStoreOption: NSNumber(value: true),
                NSIgnorePersistentStoreVersioningOption: NSNumber(value: true),
            ])
        return coordinator
    }

    /// A connection to the database, for SQL.
    package func connection() throws -> any SQLConnection {
        guard isSQLite else {
            throw ToolError("\(url.path) is no SQLite store, but of type \(metadata.type)")
        }
        return try SQLiteStores.inspect(place.url.path)
    }

    /// Copies the database as it is at one moment, whoever is writing, and the files of its big values.
    func copy(to target: URL) throws {
        guard isSQLite else {
            throw ToolError("\(url.path) is a store of type \(metadata.type), which is one file")
        }
        try SQLiteStores.copy(from: place.url.path, to: target.path)
    }

    /// Where the database says the model's properties are.
    package func schema(_ connection: any SQLConnection) throws -> StoreSchema {
        try SchemaProbe(try requiredModel().compiled, catalog: StoreCatalog(reading: connection)).schema()
    }
}
