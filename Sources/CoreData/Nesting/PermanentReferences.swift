import CoreDataValues
import Synchronization

/// The permanent reference of each temporary one, for the contexts of one tree. An object that got its
/// permanent reference in one context is still known to others by its temporary one. A context without nested
/// ones notes nothing here.
///
/// Only the root of the tree gives objects permanent references, on its queue, and notes them here before it
/// writes a row under one. Therefore no context can read a permanent reference that the tree does not know.
///
/// Each context uses the references of one state, identified by a number of notes, and advances to a later
/// state by renaming all its objects at once. References from other contexts are translated to its state
/// (`address(of:after:)`), so that no object has two references in one context.
final class PermanentReferences: Sendable {
    /// An object's reference, with the index of the store that it is relative to, which is -1 for a temporary
    /// one.
    struct Address: Hashable {
        let reference: ObjectReference
        let storeIndex: Int16

        init(_ reference: ObjectReference, _ storeIndex: Int16) {
            self.reference = reference
            self.storeIndex = reference.isTemporary ? -1 : storeIndex
        }
    }

    private struct Note {
        let temporary: Address
        let permanent: Address
    }

    private struct State {
        /// The notes, the first of which has the number `forgottenCount`.
        var notes: [Note] = []
        /// The number of notes that were dropped after the last nested context was freed.
        var forgottenCount = 0
        /// The numbers of the notes, by their temporary and permanent references.
        var numbers: [Address: Int] = [:]

        func note(of address: Address) -> (number: Int, note: Note)? {
            numbers[address].map { ($0, notes[$0 - forgottenCount]) }
        }
    }

    private let state = Mutex(State())
    private let nestedContextCount = Atomic<Int>(0)
    private let noteCount = Atomic<Int>(0)

    /// The number of references that were ever noted.
    var count: Int { noteCount.load(ordering: .acquiring) }

    /// Whether there are nested contexts, which need the notes.
    var areShared: Bool { nestedContextCount.load(ordering: .acquiring) > 0 }

    func join() { nestedContextCount.add(1, ordering: .acquiringAndReleasing) }

    func leave() {
        guard nestedContextCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        // The root has taken over all its notes, and has no nested contexts.
        state.withLock { state in
            guard !areShared else { return }
            state = State(forgottenCount: count)
        }
    }

    /// Notes permanent references.
    ///
    /// - Parameters:
    ///   - permanent: The permanent references, by the temporary ones.
    ///   - storeIndex: The index of the store that the permanent references are relative to.
    func note(_ permanent: ReferenceMap, at storeIndex: Int16) {
        state.withLock { state in
            permanent.forEach { temporary, reference in
                let note = Note(temporary: Address(temporary, -1), permanent: Address(reference, storeIndex))
                let number = state.forgottenCount + state.notes.count
                state.notes.append(note)
                state.numbers[note.temporary] = number
                state.numbers[note.permanent] = number
            }
            noteCount.store(state.forgottenCount + state.notes.count, ordering: .releasing)
        }
    }

    /// Returns the reference of an object in a context that knows the first `count` notes.
    func address(of address: Address, after count: Int) -> Address {
        // A context that knows all notes uses permanent references unchanged; one that knows none uses
        // temporary references unchanged.
        if self.count == (address.reference.isTemporary ? 0 : count) { return address }
        return state.withLock { state in
            guard let (number, note) = state.note(of: address) else { return address }
            return number < count ? note.permanent : note.temporary
        }
    }

    /// Returns the reference of an object by all notes.
    func currentAddress(of address: Address) -> Address {
        address.reference.isTemporary ? self.address(of: address, after: .max) : address
    }

    /// Returns the notes after the first `count`, as a map from temporary references to permanent ones, and
    /// the number of all notes.
    func renamed(after count: Int) -> (references: ReferenceMap, count: Int) {
        state.withLock { state in
            let notes = state.notes.dropFirst(max(0, count - state.forgottenCount))
            var references = ReferenceMap(minimumCapacity: notes.count)
            for note in notes { references[note.temporary.reference] = note.permanent.reference }
            return (references, state.forgottenCount + state.notes.count)
        }
    }
}
