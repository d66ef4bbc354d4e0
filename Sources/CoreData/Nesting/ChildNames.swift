import CoreDataStore
import CoreDataValues

/// What a child calls the objects in an answer, which has its parent's names. As a rule they are the same.
struct ChildNames {
    private let child: NSManagedObjectContext
    private let areSame: Bool

    /// - Parameter count: How many permanent references the parent knew when it answered.
    init(_ child: NSManagedObjectContext, asParentKnows count: Int) {
        self.child = child
        areSame = child.knownReferences == count
    }

    func references(of places: [PermanentReferences.Place]) -> [ObjectReference] {
        areSame ? places.map(\.reference) : places.map { reference($0.reference, at: $0.storeIndex) }
    }

    func renaming(_ row: Snapshot, at storeIndex: Int16) -> Snapshot {
        if areSame { return row }
        let key = reference(row.reference, at: storeIndex).key
        return row.renaming(key: key) { reference($0, at: storeIndex) } ?? row
    }

    func renaming(_ result: FetchResult, at storeIndex: Int16) -> FetchResult {
        if areSame { return result }
        switch result {
        case .rows(let rows): return .rows(rows.map { renaming($0, at: storeIndex) })
        case .references(let references):
            return .references(references.map { reference($0, at: storeIndex) })
        // What has no objects is of no concern, and dictionaries are of what is stored.
        case .count, .dictionaries: return result
        }
    }

    private func reference(_ reference: ObjectReference, at storeIndex: Int16) -> ObjectReference {
        child.place(of: reference, storeIndex: child.home(of: reference, beside: storeIndex)).reference
    }
}
