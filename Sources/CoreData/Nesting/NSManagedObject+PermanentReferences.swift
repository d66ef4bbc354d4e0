import CoreDataStore
import CoreDataValues

extension NSManagedObject {
    /// Has the object's rows and relationships name destinations by the references those have now.
    final func renameDestinations(_ renamed: ReferenceMap) {
        for value in side { (value as? ToManyValue)?.renameMembers(renamed) }
        if let current = committed?.renaming(renamed, key: reference.key), let context = registry?.context {
            let isShown = row === committed
            if isShown { row = nil }
            context.releaseRow(of: self)
            committed = context.handle(at: storeIndex)?.cache.keep(current) ?? current
            if isShown, let committed { adopt(committed) }
        }
        if let current = row?.renaming(renamed, key: reference.key) {
            row = current
            words = current.words
        }
        if let base = eventBase, let current = base.renaming(renamed, key: base.key) { eventBase = current }
    }
}

extension Snapshot {
    /// A copy with the permanent references and key; nil if the row has them. Others may share the row.
    func renaming(_ renamed: ReferenceMap, key: Int64) -> Snapshot? {
        let isConcerned =
            self.key != key
            || layout.columns.indices.contains { column in
                layout.columns[column].storage == .reference
                    && toOne(column).map { $0.isTemporary && renamed[$0] != nil } ?? false
            }
        guard isConcerned else { return nil }
        let copy = clone()
        copy.key = key
        copy.renameReferences(renamed)
        return copy
    }
}
