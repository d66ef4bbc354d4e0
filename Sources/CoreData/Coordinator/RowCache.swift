import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The rows of one store that objects of any context hold: the latest committed version of each.
///
/// A row stays as long as an object refers to it. Objects give their row back through `release`, which decides
/// under the lock whether it was the last.
final class RowCache: Sendable {
    private struct Tables {
        /// By root entity. The tables own a reference to each row.
        var tables: [KeyTable?]
    }

    private let roots: [EntityIndex]
    /// Whether two rows of one version are equal.
    private let hasVersions: Bool
    private let state: Guarded<Tables>

    init(model: FrozenModel, hasVersions: Bool = true) {
        roots = model.compiled.entities.map(\.root)
        self.hasVersions = hasVersions
        state = Guarded(Tables(tables: Array(repeating: nil, count: roots.count)))
    }

    deinit { removeAll() }

    private func root(_ row: Snapshot) -> Int { Int(row.layout.entity.root) }

    func current(_ reference: ObjectReference) -> Snapshot? {
        let root = Int(roots[Int(reference.entity)])
        return state.withLock { state -> Snapshot? in
            guard let pointer = state.tables[root]?[reference.key] else { return nil }
            return Unmanaged<Snapshot>.fromOpaque(pointer).takeUnretainedValue()
        }
    }

    /// Takes in rows that were read and hands back what is to be used for each: the row already here, if it is of
    /// the same version.
    func insert(_ rows: [Snapshot]) -> [Snapshot] {
        state.withLock { state in
            rows.map { insert($0, root: Int($0.layout.entity.root), into: &state.tables) }
        }
    }

    @discardableResult
    func insert(_ row: Snapshot) -> Snapshot {
        state.withLock { insert(row, root: root(row), into: &$0.tables) }
    }

    private func insert(_ row: Snapshot, root: Int, into tables: inout [KeyTable?]) -> Snapshot {
        if tables[root] == nil { tables[root] = KeyTable() }
        if let pointer = tables[root]![row.key] {
            let present = Unmanaged<Snapshot>.fromOpaque(pointer).takeUnretainedValue()
            if present === row
                || hasVersions && present.version == row.version && present.layout === row.layout
            {
                return present
            }
        }
        let pointer = UnsafeRawPointer(Unmanaged.passRetained(row).toOpaque())
        if let replaced = tables[root]!.set(row.key, pointer) {
            Unmanaged<Snapshot>.fromOpaque(replaced).release()
        }
        return row
    }

    func remove(_ reference: ObjectReference) {
        let root = Int(roots[Int(reference.entity)])
        state.withLock { state in
            if let pointer = state.tables[root]?.remove(reference.key) {
                Unmanaged<Snapshot>.fromOpaque(pointer).release()
            }
        }
    }

    /// Gives up one object's hold on a row; the row leaves the cache with its last holder. A row that is not here
    /// stays held.
    func release(_ held: inout Snapshot?) {
        guard
            let (root, key, mine) = held.map({ (root($0), $0.key, Unmanaged.passUnretained($0).toOpaque()) })
        else { return }
        state.withLock { state in
            guard let pointer = state.tables[root]?[key], pointer == UnsafeRawPointer(mine) else { return }
            held = nil
            var cached = Unmanaged<Snapshot>.fromOpaque(pointer).takeRetainedValue()
            if isKnownUniquelyReferenced(&cached) {
                state.tables[root]?.remove(key)
            } else {
                _ = Unmanaged.passRetained(cached)
            }
        }
    }

    func removeAll() {
        state.withLock { state in
            for index in state.tables.indices {
                state.tables[index]?.forEach { _, pointer in Unmanaged<Snapshot>.fromOpaque(pointer).release()
                }
                state.tables[index]?.deallocate()
                state.tables[index] = nil
            }
        }
    }
}
