import Synchronization

/// The stores of a coordinator, each under a number that is never used again.
final class StoreShelf: Sendable {
    private let places = Mutex<[StoreHandle?]>([])

    var handles: [StoreHandle] { places.withLock { $0.compactMap { $0 } } }

    func handle(at index: Int16) -> StoreHandle? {
        places.withLock { index >= 0 && Int(index) < $0.count ? $0[Int(index)] : nil }
    }

    func index(of store: NSPersistentStore) -> Int16? {
        places.withLock { places in
            places.firstIndex { $0?.store === store }.map(Int16.init)
        }
    }

    func add(_ make: (Int16) -> StoreHandle) -> StoreHandle {
        places.withLock { places in
            let handle = make(Int16(places.count))
            places.append(handle)
            return handle
        }
    }

    func remove(_ store: NSPersistentStore) -> StoreHandle? {
        places.withLock { places in
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
