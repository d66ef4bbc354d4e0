import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

extension NSManagedObject {
    /// The object's reference in its context, with the store.
    final var rowAddress: PermanentReferences.Address { PermanentReferences.Address(reference, storeIndex) }

    /// The address by all notes of the tree, including those that the object's context has not taken over
    /// yet.
    final var currentRowAddress: PermanentReferences.Address {
        guard reference.isTemporary, let context = registry?.context else { return rowAddress }
        let references = context.treeReferences
        return context.knownReferences == references.count
            ? rowAddress : references.currentAddress(of: rowAddress)
    }

    /// Replaces references to destinations, in the object's rows and relationships, by the permanent ones.
    final func renameDestinations(_ renamed: ReferenceMap) {
        for value in side { (value as? ToManyValue)?.renameMembers(renamed) }
        if let current = committed?.renaming(key: reference.key, renamed.current),
            let context = registry?.context
        {
            let isShown = row === committed
            if isShown { row = nil }
            context.releaseRow(of: self)
            committed = context.handle(at: storeIndex)?.cache.keep(current) ?? current
            if isShown, let committed { adopt(committed) }
        }
        if let current = row?.renaming(key: reference.key, renamed.current) {
            setRow(current, owned: flags.ownRow)
        }
        if let base = eventBase, let current = base.renaming(key: base.key, renamed.current) {
            eventBase = current
        }
    }
}

extension Snapshot {
    /// Returns a copy under another key, with other references to its destinations; nil if the row has these
    /// already. It is a copy, since the row may be shared.
    func renaming(key: Int64, _ current: (ObjectReference) -> ObjectReference) -> Snapshot? {
        var copy: Snapshot?
        if self.key != key {
            copy = clone()
            copy?.key = key
        }
        guard hasReferences else { return copy }
        for column in layout.entity.referenceColumns {
            guard let reference = toOne(column) else { continue }
            let renamed = current(reference)
            if renamed == reference { continue }
            if copy == nil { copy = clone() }
            copy?.setToOne(column, renamed)
        }
        return copy
    }
}
