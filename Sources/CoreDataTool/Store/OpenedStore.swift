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
    /// Nil for a store that carries none, or a damaged one, when none was given.
    package let model: StoreModel?
    /// What is damaged of what the store says of itself, in words; its tables may be sound nevertheless.
    package let damage: Damage
    let place: ReadingPlace

    /// - Parameter modelFile: a model, or a store that carries one, to use instead of the one the store carries.
    package init(at url: URL, model modelFile: URL? = nil) throws {
        self.url = url.standardizedFileURL
        guard FileManager.default.fileExists(atPath: self.url.path) else {
            throw ToolError("\(url.path): there is no such file")
        }
        place = try ReadingPlace(for: self.url)
        var damage = Damage()
        metadata = try Self.metadata(place.url, &damage)
        let cached = metadata.type == NSSQLiteStoreType ? try Self.cachedModel(place.url, &damage) : nil
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

    /// Of a database whose metadata cannot be read, what is left of it.
    private static func metadata(_ url: URL, _ damage: inout Damage) throws -> StoreMetadata {
        do {
            let values = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: url)
            return StoreMetadata(values as? [String: Any] ?? [:])
        } catch {
            guard let stored = try? SQLiteStores.metadata(at: url.path) else { throw error }
            damage.metadata = ErrorText.reason(of: error)
            return StoreMetadata([NSStoreTypeKey: NSSQLiteStoreType, NSStoreUUIDKey: stored.uuid])
        }
    }

    /// Nil for stores from before OS X 10.11.
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

    package var isSQLite: Bool { metadata.type == NSSQLiteStoreType }

    static let storesWithoutModel = "only SQLite stores do, since OS X 10.11"

    /// The model, or why there is none.
    package func requiredModel() throws(ToolError) -> StoreModel {
        if let model { return model }
        if let damage = damage.model {
            throw ToolError("\(url.path): \(damage): name a model with --model")
        }
        throw ToolError("\(url.path) carries no model (\(Self.storesWithoutModel)): name one with --model")
    }

    /// The model, if the store was made with it. A cache may be older or newer than the tables.
    package func matchingModel() throws(ToolError) -> StoreModel {
        let model = try requiredModel()
        let differing = differences(from: model)
        guard differing.isEmpty else {
            throw ToolError(
                "\(url.path): the store was made with another version of \(differing.joined(separator: ", ")) "
                    + "than its model cache has: name the right model with --model")
        }
        return model
    }

    /// The entities whose versions are not those of the model. Damaged metadata have none to hold against it.
    package func differences(from model: StoreModel) -> [String] {
        damage.metadata == nil ? metadata.differences(from: model.document) : []
    }

    // MARK: Ways to ask

    /// Runs a block on the queue of a context over the store, which is open only as long: SQLite puts its files away
    /// when the last connection closes, and a program may end before somebody else thinks of it.
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

    /// A coordinator that has the store, and cannot change it.
    func coordinator(_ document: ModelDocument) throws -> NSPersistentStoreCoordinator {
        try requireFiniteTables()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(document))
        try coordinator.addPersistentStore(
            ofType: metadata.type, configurationName: nil, at: place.url,
            options: [
                NSReadOnlyPersistentStoreOption: NSNumber(value: true),
                NSIgnorePersistentStoreVersioningOption: NSNumber(value: true),
            ])
        return coordinator
    }

    // MARK: Pages

    /// What is wrong with the pages of the database, a sentence each. Costs a look at every page, once.
    private lazy var pageDamage: Result<[String], any Error> = Result {
        let database = try database()
        defer { database.close() }
        return try database.damage(isQuick: true, atMost: Self.mostSentences)
    }

    private static let mostSentences = 20

    /// What is wrong with the database.
    func damage(isQuick: Bool) throws -> [String] {
        if isQuick { return try pageDamage.get() }
        let database = try database()
        defer { database.close() }
        return try database.damage(isQuick: false, atMost: Self.mostSentences)
    }

    /// Throws for a table whose pages lead to the same pages: a file that somebody has made so has more rows
    /// than anybody could read.
    func requireFiniteTables() throws {
        guard isSQLite, let sentence = try pageDamage.get().first(where: { $0.contains("reference to page") })
        else { return }
        throw ToolError("\(url.path) is damaged, and reading it would not end: \(sentence)")
    }

    /// A connection to the database, for SQL.
    package func connection() throws -> any SQLConnection { try database() }

    private func database() throws -> SQLiteConnection {
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
