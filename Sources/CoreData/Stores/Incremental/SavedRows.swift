import CoreDataStore
import CoreDataValues

/// The answer to a save of an incremental store that names new rows while it saves them.
package struct SavedRows {
    private let permanent: [NSManagedObjectID: NSManagedObjectID]
    private let changed: [NSManagedObjectID]

    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - permanent: The permanent IDs of all inserted objects, by their temporary ones.
    ///   - changed: The permanent IDs of rows that the store gave other values than it was asked to save.
    package init(permanent: [NSManagedObjectID: NSManagedObjectID], changed: [NSManagedObjectID]) {
        self.permanent = permanent
        self.changed = changed
    }

    var receipt: CommitReceipt {
        var references = ReferenceMap(minimumCapacity: permanent.count)
        for (temporary, id) in permanent { references[temporary.reference] = id.reference }
        let derived = changed.map { ObjectReference(entity: $0.runtime.root, key: $0.reference.key) }
        return CommitReceipt(permanent: references, derived: Set(derived))
    }
}
