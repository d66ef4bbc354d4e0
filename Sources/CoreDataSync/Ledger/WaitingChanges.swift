internal import CoreDataSyncCore
internal import Synchronization

/// The changes that wait in the file of a ledger. In memory are those of the items that the present step has asked for.
final class WaitingChanges: StoredChanges {
    private let file: LedgerReader
    private let known = Mutex<[ItemKey: [PendingChange]]>([:])

    init(_ file: LedgerReader) { self.file = file }

    var count: Int { file.read { try $0.count(of: .outgoing) } ?? 0 }

    func first(_ count: Int) -> [PendingChange] {
        let rows = file.read { try $0.firstRows(of: .outgoing, count) } ?? []
        return decoded(rows)
    }

    func changes(of item: ItemKey) -> [PendingChange] {
        load([item])
        return known.withLock { $0[item] } ?? []
    }

    func load(_ items: some Sequence<ItemKey>) {
        let missing = known.withLock { known in Set(items).filter { known[$0] == nil } }
        guard !missing.isEmpty else { return }
        let rows = file.read { file in
            try file.rows(of: .outgoing, LedgerModel.secondKey, in: missing.map(\.bytes))
        }
        let changes = Dictionary(grouping: decoded(rows ?? []), by: \.change.item)
        known.withLock { known in for item in missing { known[item] = changes[item] ?? [] } }
    }

    /// Forgets what the file had before it was written.
    func forget() { known.withLock { $0 = [:] } }

    private func decoded(_ rows: [LedgerRows.Row]) -> [PendingChange] {
        let changes = file.read { _ in try rows.map { try PendingChange(bytes: $0.bytes) } } ?? []
        return changes.sorted { $0.change.number < $1.change.number }
    }
}
