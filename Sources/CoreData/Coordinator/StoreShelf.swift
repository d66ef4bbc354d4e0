import Synchronization

/// The stores of a coordinator, each under a number that is not used again, except by a store that takes its
/// place.
final class StoreShelf: Sendable {
    private struct Places {
        var all: [StoreHandle?] = []
        /// The stores that are there: every fetch and every save asks for them.
        var handles: [StoreHandle] = []
    }

    private let places = Mutex(Places())
    private static let exchanged = Atomic(false)
    private static let arrangements = Atomic(0)

    /// Whether a store has ever taken another's place in this process.
    static var hasExchanged: Bool { exchanged.load(ordering: .relaxed) }

    /// Another number once any coordinator of the process has got, lost or exchanged a store: results of
    /// lookups made before may be outdated.
    static var arrangement: Int { arrangements.load(ordering: .acquiring) }

    private func change<Result>(_ body: (inout [StoreHandle?]) -> Result) -> Result {
        defer { Self.arrangements.add(1, ordering: .releasing) }
        return places.withLock { places in
            defer { places.handles = places.all.compactMap(\.self) }
            return body(&places.all)
        }
    }

    var handles: [StoreHandle] { places.withLock { $0.handles } }

    func handle(at index: Int16) -> StoreHandle? {
        places.withLock { index >= 0 && Int(index) < $0.all.count ? $0.all[Int(index)] : nil }
    }

    func index(of store: NSPersistentStore) -> Int16? {
        places.withLock { places in
            places.all.firstIndex { $0?.store === store }.map(Int16.init)
        }
    }

    func add(_ make: (Int16) -> StoreHandle) -> StoreHandle {
        change { places in
            let handle = make(Int16(places.count))
            places.append(handle)
            return handle
        }
    }

    /// Puts a store in the place of another, whose objects become its own.
    func replace(_ handle: StoreHandle) {
        Self.exchanged.store(true, ordering: .relaxed)
        change { $0[Int(handle.index)] = handle }
    }

    func remove(_ store: NSPersistentStore) -> StoreHandle? {
        change { places in
            guard let index = places.firstIndex(where: { $0?.store === store }) else { return nil }
            defer { places[index] = nil }
            return places[index]
        }
    }
}

extension NSPersistentStoreCoordinator {
    final var handles: [StoreHandle] { shelf.handles }
    final func handle(at index: Int16) -> StoreHandle? { shelf.handle(at: index) }
    final func index(of store: NSPersistentStore) -> Int16? { shelf.index(of: store) }
}
