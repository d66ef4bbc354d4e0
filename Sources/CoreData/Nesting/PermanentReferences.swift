import CoreDataValues
import Synchronization

/// What temporary references became, for the contexts of one tree: an object that is given its permanent reference in one
/// of them is known to the others by its temporary one. Nothing is kept where there is one context alone.
///
/// The tree's root alone gives objects permanent references, on its queue, and notes them here before the first row is
/// written under one: nobody can meet a permanent reference that the tree does not know. Every context calls its objects
/// what they were called at one moment, after so many notes, and goes on to a later one by renaming all that it has at
/// once. Whatever reaches it from elsewhere is called what it calls it itself (`place(of:after:)`), so that no object
/// ever has two names in one context.
final class PermanentReferences: Sendable {
    /// Where an object lies: its reference, and the store that this is relative to, -1 for a temporary one.
    struct Place: Hashable {
        let reference: ObjectReference
        let storeIndex: Int16

        init(_ reference: ObjectReference, _ storeIndex: Int16) {
            self.reference = reference
            self.storeIndex = reference.isTemporary ? -1 : storeIndex
        }
    }

    private struct Note {
        let temporary: Place
        let permanent: Place
    }

    private struct State {
        /// From `forgottenCount` on.
        var notes: [Note] = []
        /// How many notes there were in the times of nested contexts that are gone.
        var forgottenCount = 0
        /// By either place, the number of its note.
        var numbers: [Place: Int] = [:]

        func note(of place: Place) -> (number: Int, note: Note)? {
            numbers[place].map { ($0, notes[$0 - forgottenCount]) }
        }
    }

    private let state = Mutex(State())
    private let nestedContextCount = Atomic<Int>(0)
    private let noteCount = Atomic<Int>(0)

    /// How many references were noted.
    var count: Int { noteCount.load(ordering: .acquiring) }

    /// Whether there are contexts that want to know.
    var areShared: Bool { nestedContextCount.load(ordering: .acquiring) > 0 }

    func join() { nestedContextCount.add(1, ordering: .acquiringAndReleasing) }

    func leave() {
        guard nestedContextCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        // The root has taken over what it noted, and is alone.
        state.withLock { state in
            guard !areShared else { return }
            state = State(forgottenCount: count)
        }
    }

    /// - Parameter storeIndex: of the store that the permanent references are relative to.
    func note(_ permanent: ReferenceMap, at storeIndex: Int16) {
        state.withLock { state in
            permanent.forEach { temporary, reference in
                let note = Note(temporary: Place(temporary, -1), permanent: Place(reference, storeIndex))
                let number = state.forgottenCount + state.notes.count
                state.notes.append(note)
                state.numbers[note.temporary] = number
                state.numbers[note.permanent] = number
            }
            noteCount.store(state.forgottenCount + state.notes.count, ordering: .releasing)
        }
    }

    /// Returns where an object lies for a context that knows the first `count` notes.
    func place(of place: Place, after count: Int) -> Place {
        // A context that knows all notes has permanent references as they are, one that knows none the temporary ones.
        if self.count == (place.reference.isTemporary ? 0 : count) { return place }
        return state.withLock { state in
            guard let (number, note) = state.note(of: place) else { return place }
            return number < count ? note.permanent : note.temporary
        }
    }

    /// Returns where an object lies by all notes.
    func currentPlace(of place: Place) -> Place {
        place.reference.isTemporary ? self.place(of: place, after: .max) : place
    }

    /// Returns the notes after the first `count`, as a map from temporary references to permanent ones, and the number of
    /// all notes.
    func renamed(after count: Int) -> (references: ReferenceMap, count: Int) {
        state.withLock { state in
            let notes = state.notes.dropFirst(max(0, count - state.forgottenCount))
            var references = ReferenceMap(minimumCapacity: notes.count)
            for note in notes { references[note.temporary.reference] = note.permanent.reference }
            return (references, state.forgottenCount + state.notes.count)
        }
    }
}
