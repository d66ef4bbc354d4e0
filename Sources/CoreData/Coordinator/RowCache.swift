import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The rows of one store that objects of any context hold: the latest committed version of each.
///
/// A row stays as long as an object refers to it. Objects give their row back through `release`, which
/// decides under the lock whether it was the last.
///
/// A row that was read while another thread committed it may be outdated when it arrives, and commits may
/// arrive in another order than they were made in. Readers and savers therefore note `changeCount` before
/// they begin, and pass it along with their rows: a row that changed since is not kept.
final class RowCache: Sendable {
    private struct Tables {
        /// Rows by root entity; the tables own a reference to each row.
        var tables: [KeyTable?]
        var changes = ChangeLog()
    }

    private let roots: [EntityIndex]
    /// Whether rows of the same version are equal.
    private let hasVersions: Bool
    /// Whether a row that was read gives way to a cached one of a higher version.
    private let keepsNewer: Bool
    private let state: Guarded<Tables>

    init(model: FrozenModel, hasVersions: Bool = true, keepsNewer: Bool = false) {
        roots = model.compiled.entities.map(\.root)
        self.hasVersions = hasVersions
        self.keepsNewer = keepsNewer
        state = Guarded(Tables(tables: Array(repeating: nil, count: roots.count)))
    }

    deinit { removeAll() }

    private func root(_ row: Snapshot) -> Int { Int(row.root) }

    func current(_ reference: ObjectReference) -> Snapshot? {
        let root = Int(roots[Int(reference.entity)])
        return state.withLock { state in Self.row(reference, in: state.tables[root]) }
    }

    /// Returns the cached row, and the change count to pass along with the row if it has to be read from the
    /// store.
    func look(for reference: ObjectReference) -> (current: Snapshot?, changeCount: UInt64) {
        let root = Int(roots[Int(reference.entity)])
        return state.withLock { state in
            (Self.row(reference, in: state.tables[root]), state.changes.changeCount)
        }
    }

    /// Returns a cached row; nil if it is of another entity than the reference says, so that the store is
    /// read.
    private static func row(_ reference: ObjectReference, in table: KeyTable?) -> Snapshot? {
        guard let row = row(reference.key, in: table), row.entity == reference.entity else { return nil }
        return row
    }

    private static func row(_ key: Int64, in table: KeyTable?) -> Snapshot? {
        table?[key].map { Unmanaged<Snapshot>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The number of changes so far, to be noted before rows are read.
    var changeCount: UInt64 { state.withLock { $0.changes.changeCount } }

    /// Puts rows that were read into the cache, and returns for each the row to use.
    ///
    /// The cached row is used if it has the same version, unless one of its values could not be read: its
    /// file may be back. A cached row of a higher version is used where a read may be overtaken by another one,
    /// from another server. It is used as well if the row changed since the read began; without a cached row,
    /// the row read is returned then, but not kept, since it may be outdated.
    func insert(_ rows: [Snapshot], readAt changeCount: UInt64) -> [Snapshot] {
        state.withLock { state in
            if let first = rows.first { makeTable(root(first), roomFor: rows.count, in: &state.tables) }
            let changed = state.changes.changes(since: changeCount)
            return rows.map { take($0, changed, keepsNewer, &state) }
        }
    }

    /// - Parameter isLatest: Whether the row is the committed one for certain, as that of a conflict. After a
    ///   failover that lost commits its version may be lower than that of a cached row.
    func insert(_ row: Snapshot, readAt changeCount: UInt64, isLatest: Bool = false) -> Snapshot {
        state.withLock {
            take(row, $0.changes.changes(since: changeCount), keepsNewer && !isLatest, &$0)
        }
    }

    private func take(
        _ row: Snapshot, _ changed: ChangeLog.Changed, _ keepsNewer: Bool, _ state: inout Tables
    ) -> Snapshot {
        let root = root(row)
        guard changed.contains(ChangeLog.Change(root: root, key: row.key)) else {
            if keepsNewer, let present = Self.row(row.key, in: state.tables[root]),
                present.version > row.version
            {
                return present
            }
            return insert(row, root: root, into: &state.tables) ?? row
        }
        return Self.row(row.key, in: state.tables[root]) ?? row
    }

    /// Puts a row that was just committed into the cache, or returns the equal cached row, which stays.
    ///
    /// - Parameter changeCount: The count before the commit; nil if no other context can commit the row.
    @discardableResult
    func keep(_ row: Snapshot, since changeCount: UInt64? = nil) -> Snapshot? {
        keeping(of: row.root, 1, since: changeCount) { keep in keep(row) }
    }

    /// Puts many committed rows into the cache, most of them of one hierarchy: the body hands them in one by
    /// one, and does nothing else with the cache.
    ///
    /// - Parameter count: About how many rows there are.
    func keeping<Result>(
        of hierarchy: EntityIndex, _ count: Int, since changeCount: UInt64?,
        _ body: ((Snapshot) -> Snapshot?) -> Result
    ) -> Result {
        state.withLock { state in
            makeTable(Int(hierarchy), roomFor: count, in: &state.tables)
            let others = changeCount.flatMap { changeCount in
                changeCount == state.changes.changeCount ? nil : state.changes.changes(since: changeCount)
            }
            return body { row in
                let root = root(row)
                let isLate = others.map { isOvertaken(row, root, by: $0, state.tables) } ?? false
                // A new row cannot have been read before.
                if row.version > 1 { state.changes.note(root, row.key) }
                return isLate ? nil : insert(row, root: root, into: &state.tables)
            }
        }
    }

    /// Returns whether another commit changed a row, unless the cached row shows that this commit was
    /// earlier.
    private func isOvertaken(
        _ row: Snapshot, _ root: Int, by others: ChangeLog.Changed, _ tables: [KeyTable?]
    ) -> Bool {
        guard others.contains(ChangeLog.Change(root: root, key: row.key)) else { return false }
        guard let present = Self.row(row.key, in: tables[root]) else { return true }
        return present.version >= row.version
    }

    /// Puts a row into the cache, or returns the row that is cached already, if it stays.
    private func insert(_ row: Snapshot, root: Int, into tables: inout [KeyTable?]) -> Snapshot? {
        if tables[root] == nil { tables[root] = KeyTable() }
        if let pointer = tables[root]![row.key] {
            let present = Unmanaged<Snapshot>.fromOpaque(pointer)
            if present._withUnsafeGuaranteedRef({ isAsGood($0, as: row) }) {
                return present.takeUnretainedValue()
            }
        }
        let pointer = UnsafeRawPointer(Unmanaged.passRetained(row).toOpaque())
        if let replaced = tables[root]!.set(row.key, pointer) {
            Unmanaged<Snapshot>.fromOpaque(replaced).release()
        }
        return nil
    }

    private func isAsGood(_ present: Snapshot, as row: Snapshot) -> Bool {
        present === row
            || hasVersions && present.version == row.version && present.layout === row.layout
                && !present.hasUnreadableValues
    }

    private func makeTable(_ root: Int, roomFor count: Int, in tables: inout [KeyTable?]) {
        if tables[root] == nil { tables[root] = KeyTable() }
        tables[root]!.reserve(count)
    }

    func remove(_ reference: ObjectReference) { remove(CollectionOfOne(reference)) }

    func remove(_ references: some Sequence<ObjectReference>) {
        state.withLock { state in
            for reference in references {
                let root = Int(roots[Int(reference.entity)])
                state.changes.note(root, reference.key)
                if let pointer = state.tables[root]?.remove(reference.key) {
                    Unmanaged<Snapshot>.fromOpaque(pointer).release()
                }
            }
        }
    }

    /// Gives up one object's hold on a row.
    ///
    /// When the last holder gives it up, the row leaves the cache and is returned, to be freed outside of the
    /// lock. A row that is not in the cache stays in `held`.
    func release(_ held: inout Snapshot?) -> Snapshot? {
        guard let mine = held.map(Unmanaged.passUnretained) else { return nil }
        let (root, key) = mine._withUnsafeGuaranteedRef { (Int($0.root), $0.key) }
        return state.withLock { state in
            guard let entry = state.tables[root]?.entry(of: key),
                entry.pointee == UnsafeRawPointer(mine.toOpaque())
            else { return nil }
            held = nil
            var cached = mine.takeRetainedValue()
            guard isKnownUniquelyReferenced(&cached) else {
                _ = Unmanaged.passRetained(cached)
                return nil
            }
            state.tables[root]?.remove(key, at: entry)
            return cached
        }
    }

    func removeAll() {
        state.withLock { state in
            state.changes.noteAll()
            for index in state.tables.indices {
                state.tables[index]?.forEach { _, pointer in Unmanaged<Snapshot>.fromOpaque(pointer).release()
                }
                state.tables[index]?.deallocate()
                state.tables[index] = nil
            }
        }
    }
}
