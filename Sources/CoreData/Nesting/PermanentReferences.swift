import CoreDataValues
import Synchronization

/// What temporary references became, for the contexts of one tree: an object that one of them saves, or gives its
/// permanent ID, is known to the others by its temporary one. Nothing is kept where there is one context alone.
final class PermanentReferences: Sendable {
    struct Place {
        let reference: ObjectReference
        let storeIndex: Int16
    }

    private struct State {
        var nestedContexts = 0
        var places: [ObjectReference: Place] = [:]
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)

    /// How many references were noted.
    var generation: Int { count.load(ordering: .acquiring) }

    /// Whether there are contexts that want to know.
    var areShared: Bool { state.withLock { $0.nestedContexts > 0 } }

    func join() { state.withLock { $0.nestedContexts += 1 } }

    func leave() {
        state.withLock { state in
            state.nestedContexts -= 1
            if state.nestedContexts == 0 { state.places = [:] }
        }
    }

    /// Returns the generation that follows, if anybody is interested.
    func note(_ temporary: ObjectReference, became reference: ObjectReference, at storeIndex: Int16) -> Int? {
        state.withLock { state in
            guard state.nestedContexts > 0 else { return nil }
            state.places[temporary] = Place(reference: reference, storeIndex: storeIndex)
            return count.add(1, ordering: .acquiringAndReleasing).newValue
        }
    }

    subscript(temporary: ObjectReference) -> Place? {
        generation == 0 ? nil : state.withLock { $0.places[temporary] }
    }

    /// All of them, as rows take them.
    var renamed: ReferenceMap {
        state.withLock { state in
            var result = ReferenceMap(minimumCapacity: state.places.count)
            for (temporary, place) in state.places { result[temporary] = place.reference }
            return result
        }
    }
}
