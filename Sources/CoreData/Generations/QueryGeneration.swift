import CoreDataStore
import Foundation

/// A snapshot of a coordinator's stores for contexts to read from: each store at that moment, with cached
/// rows of its own.
///
/// Ends with its last user.
final class QueryGeneration: Sendable {
    private let stores: [Int16: StoreHandle]
    private let coordinator: ObjectIdentifier

    /// Takes the snapshot, of one store after the other.
    init(of coordinator: NSPersistentStoreCoordinator) throws {
        self.coordinator = ObjectIdentifier(coordinator)
        var stores: [Int16: StoreHandle] = [:]
        for handle in coordinator.handles {
            let backend = try Self.backend(of: handle) { backend throws(StoreError) in try backend.pinned() }
            stores[handle.index] = handle.replacing(backend, cache: RowCache(model: coordinator.frozen))
        }
        self.stores = stores
    }

    /// Throws unless every store can be pinned.
    static func requireSupport(in coordinator: NSPersistentStoreCoordinator) throws {
        for handle in coordinator.handles {
            try backend(of: handle) { backend throws(StoreError) in try backend.requireGenerations() }
        }
    }

    private static func backend<Result>(
        of handle: StoreHandle, _ body: (any GenerationBackend) throws(StoreError) -> Result
    ) throws -> Result {
        var reason = "Stores of type \(handle.store.type) have no query generations."
        if let backend = handle.backend as? any GenerationBackend {
            do throws(StoreError) {
                return try body(backend)
            } catch {
                guard case .database = error.kind else { throw error.nsError() }
                reason = error.message
            }
        }
        throw CoreDataError.error(
            NSPersistentStoreUnsupportedRequestTypeError, reason: reason,
            [NSAffectedStoresErrorKey: [handle.store]])
    }

    func isOf(_ other: NSPersistentStoreCoordinator) -> Bool { ObjectIdentifier(other) == coordinator }

    /// Returns a store at the moment of the snapshot, or its latest state if it was added later.
    func handle(for handle: StoreHandle) -> StoreHandle { stores[handle.index] ?? handle }
}

/// The state of the stores that a context reads.
enum ReadGeneration {
    /// Everything that is committed.
    case latest
    /// The generation that is current when the context reads next.
    case next
    case pinned(QueryGeneration)
}
