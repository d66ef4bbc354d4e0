import CoreDataStore
import CoreDataValues

/// The translator of the references in a parent context's answer into those of the child. Mostly the two are
/// equal.
struct ChildNames {
    private let child: NSManagedObjectContext
    private let areSame: Bool

    /// - Parameter count: The number of permanent references that the parent knew when it answered.
    init(_ child: NSManagedObjectContext, asParentKnows count: Int) {
        self.child = child
        areSame = child.knownReferences == count
    }

    func references(of addresses: [PermanentReferences.Address]) -> [ObjectReference] {
        areSame ? addresses.map(\.reference) : addresses.map { reference($0.reference, at: $0.storeIndex) }
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
        // A count has no references, and dictionaries are read from the store, without unsaved changes.
        case .count, .dictionaries: return result
        }
    }

    private func reference(_ reference: ObjectReference, at storeIndex: Int16) -> ObjectReference {
        child.address(of: reference, beside: storeIndex).reference
    }
}
