import Synchronization

/// The stores of a coordinator, each under a number that is never reused, except by a store that takes its
/// place.
final class StoreShelf: Sendable {
    private struct Content {
        var all: [StoreHandle?] = []
        /// The present stores, kept as an array because every fetch and every save reads it.
        var handles: [StoreHandle] = []
    }

    private let content = Mutex(Content())
    private static let exchanged = Atomic(false)
    private static let arrangements = Atomic(0)

    /// Whether a store has ever taken another's place in this process.
    static var hasExchanged: Bool { exchanged.load(ordering: .relaxed) }

    /// A number that changes when any coordinator of the process adds, removes or exchanges a store: results
    /// of earlier lookups may then be outdated.
    static var arrangement: Int { arrangements.load(ordering: .acquiring) }

    private func change<Result>(_ body: (inout [StoreHandle?]) -> Result) -> Result {
        defer { Self.arrangements.add(1, ordering: .releasing) }
        return content.withLock { content in
            defer { content.handles = content.all.compactMap(\.self) }
            return body(&content.all)
        }
    }

    var handles: [StoreHandle] { content.withLock { $0.handles } }

    func handle(at index: Int16) -> StoreHandle? {
        content.withLock { index >= 0 && Int(index) < $0.all.count ? $0.all[Int(index)] : nil }
    }

    func index(of store: NSPersistentStore) -> Int16? {
        content.withLock { content in
            content.all.firstIndex { $0?.store === store }.map(Int16.init)
        }
    }

    func add(_ make: (Int16) -> StoreHandle) -> StoreHandle {
        change { stores in
            let handle = make(Int16(stores.count))
            stores.append(handle)
            return handle
        }
    }

    /// Puts a store in the place of another, whose objects become its own.
    func replace(_ handle: StoreHandle) {
        Self.exchanged.store(true, ordering: .relaxed)
        change { $0[Int(handle.index)] = handle }
    }

    func remove(_ store: NSPersistentStore) -> StoreHandle? {
        change { stores in
            guard let index = stores.firstIndex(where: { $0?.store === store }) else { return nil }
            defer { stores[index] = nil }
            return stores[index]
        }
    }
}

extension NSPersistentStoreCoordinator {
    final var handles: [StoreHandle] { shelf.handles }
    final func handle(at index: Int16) -> StoreHandle? { shelf.handle(at: index) }
    final func index(of store: NSPersistentStore) -> Int16? { shelf.index(of: store) }
}
