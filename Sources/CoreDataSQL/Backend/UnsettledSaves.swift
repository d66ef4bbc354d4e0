import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Synchronization

/// The saves of a store whose outcome is unknown: the connection was lost while the server was asked to commit,
/// and no server could be asked afterwards.
///
/// The context of such a save keeps its changes, and saves them again. If the server did commit the first save,
/// the second one has nothing left to write, and would insert new objects once more.
package final class UnsettledSaves: Sendable {
    struct Save: Sendable {
        let mark: CommitMark
        /// The changes, with rows of their own.
        let changes: ChangeSet
        /// The permanent references that the save chose for its new rows.
        let permanent: ReferenceMap
    }

    private let saves = Mutex<[Save]>([])
    /// The number of saves that are remembered; contexts that give up leave theirs.
    private static let limit = 64

    package init() {}

    /// Remembers a save if its error says that its outcome is unknown, and can be found out.
    func note(_ error: SQLError, _ changes: ChangeSet, _ permanent: ReferenceMap) {
        guard let mark = error.mark else { return }
        let save = Save(mark: mark, changes: changes.copyingRows(), permanent: permanent)
        saves.withLock { saves in
            if saves.count == Self.limit { saves.removeFirst() }
            saves.append(save)
        }
    }

    func remove(_ save: Save) {
        saves.withLock { saves in saves.removeAll { $0.mark === save.mark } }
    }

    /// Returns the save that inserted one of the rows that are to be inserted, or updated or deleted one in the
    /// version that is expected now.
    func first(like changes: ChangeSet) -> Save? {
        let saves = saves.withLock { $0 }
        if saves.isEmpty { return nil }
        let inserted = Set(changes.inserted.references)
        let versions = Dictionary(
            changes.allExpected.map { ($0.reference, $0.version) }, uniquingKeysWith: { first, _ in first })
        return saves.first { save in
            save.changes.inserted.references.contains(where: inserted.contains)
                || save.changes.allExpected.contains { versions[$0.reference] == $0.version }
        }
    }
}

extension SQLBackend {
    /// Returns the receipt of an earlier save of the same changes whose outcome was unknown, if it was
    /// committed; nil if the changes are still to be saved.
    ///
    /// Throws if it was committed, and the changes have become others: they would insert its objects again.
    func receiptOfUnsettledSave(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt? {
        while let earlier = unsettled.first(like: changes) {
            let isCommitted: Bool
            do throws(SQLError) {
                isCommitted = try pool.isCommitted(earlier.mark)
            } catch {
                throw translate(error)
            }
            if isCommitted, changes.writes(sameAs: earlier.changes) {
                unsettled.remove(earlier)
                // Rows that the store has changed, then or since, are read anew.
                var receipt = CommitReceipt(permanent: earlier.permanent)
                noteUnknownRows(of: earlier.changes, in: &receipt)
                return completed(receipt)
            }
            let inserted = Set(changes.inserted.references)
            guard !isCommitted || !earlier.changes.inserted.references.contains(where: inserted.contains)
            else {
                throw StoreError(
                    .outcomeUnknown,
                    "the save before, whose outcome was unknown, was saved, and its objects have other values "
                        + "now, with which they would be inserted again: reset the context", path: path)
            }
            // The rows of a save that was committed have other versions, which are conflicts.
            unsettled.remove(earlier)
        }
        return nil
    }
}
