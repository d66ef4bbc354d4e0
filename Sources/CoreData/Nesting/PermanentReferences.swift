import CoreDataValues
import Synchronization

/// What temporary references became, for the contexts of one tree: an object that one of them saves, or gives its
/// permanent ID, is known to the others by its temporary one.
final class PermanentReferences: Sendable {
    struct Place {
        let reference: ObjectReference
        let storeIndex: Int16
    }

    private let places = Mutex<[ObjectReference: Place]>([:])
    private let count = Atomic<Int>(0)

    /// How many references were noted.
    var generation: Int { count.load(ordering: .acquiring) }

    /// Returns the generation that follows.
    func note(_ temporary: ObjectReference, became reference: ObjectReference, at storeIndex: Int16) -> Int {
        places.withLock { $0[temporary] = Place(reference: reference, storeIndex: storeIndex) }
        return count.add(1, ordering: .acquiringAndReleasing).newValue
    }

    subscript(temporary: ObjectReference) -> Place? { places.withLock { $0[temporary] } }

    /// All of them, as rows take them.
    var renamed: [ObjectReference: ObjectReference] {
        places.withLock { $0.mapValues(\.reference) }
    }
}
