import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A store of type InMemory: its rows are only in memory, and freed with the store.
final class MemoryStore: NSPersistentStore, @unchecked Sendable {
    override var type: String { NSInMemoryStoreType }

    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        do { try model.compiled.requireDerivations(of: entities) } catch { throw error.nsError() }
        metadata =
            StoreMetadata(
                type: type, model: model.compiled, entityNames: model.names(of: entities)
            ).values(of: identifier)
        return MemoryBackend(
            MemoryTables(model.compiled), identity: ObjectIdentifier(self), isReadOnly: isReadOnly)
    }

    /// Renames the store: its URL is just a name.
    override func move(to url: URL) -> Bool {
        self.url = url
        return true
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] { throw noFile }
    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw noFile
    }

    private static var noFile: NSError {
        CoreDataError.error(
            NSPersistentStoreOperationError,
            reason: "A store of type InMemory has no file to read or write.")
    }

    override class func removeFiles(at url: URL, _ options: [AnyHashable: Any]) throws {}
}
