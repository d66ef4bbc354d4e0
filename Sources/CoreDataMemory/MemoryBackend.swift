package import CoreDataStore
package import CoreDataValues
import Synchronization

/// A store whose rows are all in memory. It may also be kept in a file that is written as a whole.
///
/// Readers copy the tables (copy-on-write) and work on the copy. So no thread waits for a query, and
/// application code that a query calls may use the store. Commits are serialized.
package final class MemoryBackend: StoreBackend {
    /// Writes the state that a commit makes. If it throws, the commit does not take effect.
    package typealias Persist = @Sendable (MemoryTables) throws(StoreError) -> Void

    private let tables: Mutex<MemoryTables>
    /// The lock held while the file is written; readers go on with the state before the commit.
    private let writing = Mutex<Void>(())
    private let persist: Persist?
    private let isReadOnly: Bool
    /// The store of which this one is a snapshot, and which gets its writes; nil if this is the store itself.
    private let origin: MemoryBackend?
    /// The identity of the store, by which predicates tell its rows from those of other stores.
    private let identity: ObjectIdentifier?

    package init(
        _ tables: MemoryTables, identity: ObjectIdentifier? = nil, isReadOnly: Bool = false,
        persist: Persist? = nil
    ) {
        self.tables = Mutex(tables)
        self.identity = identity
        self.isReadOnly = isReadOnly
        self.persist = persist
        origin = nil
    }

    private init(momentOf origin: MemoryBackend) {
        tables = Mutex(origin.current)
        identity = origin.identity
        isReadOnly = origin.isReadOnly
        persist = nil
        self.origin = origin
    }

    /// The committed state.
    package var current: MemoryTables { tables.withLock { $0 } }

    // MARK: Reading

    package func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult {
        try MemoryQuery(query, RowReader(current, store: identity)).answer()
    }

    package func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit {
        try MemoryQuery.split(query, in: current.model)
    }

    package func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot? {
        tables.withLock { $0.row(row) }
    }

    package func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot] {
        tables.withLock { tables in rows.compactMap(tables.row) }
    }

    package func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference] {
        tables.withLock { $0.related(slot, of: row) }
    }

    package func related(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> [Int64: [ObjectReference]] {
        tables.withLock { tables in
            var result: [Int64: [ObjectReference]] = [:]
            for row in rows {
                let members = tables.related(slot, of: row)
                if !members.isEmpty { result[row.key] = members }
            }
            return result
        }
    }

    // MARK: Writing

    package func allocateKeys(
        _ count: [EntityIndex: Int]
    ) throws(StoreError) -> [EntityIndex: [ObjectReference]] {
        if let origin { return try origin.allocateKeys(count) }
        return tables.withLock { tables in
            var result: [EntityIndex: [ObjectReference]] = [:]
            for entity in count.keys.sorted() {
                result[entity] = (0..<(count[entity] ?? 0)).map { _ in
                    ObjectReference(entity: entity, key: tables.allocateKey())
                }
            }
            return result
        }
    }

    package func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        if let origin { return try origin.commit(changes) }
        if let persist { return try commit(changes, persist) }
        if isReadOnly { throw readOnly }
        return try tables.withLock { tables throws(StoreError) in try tables.commit(changes) }
    }

    /// Commits changes, and writes the new state with `persist` before it takes effect.
    package func commit(
        _ changes: ChangeSet, _ persist: (MemoryTables) throws(StoreError) -> Void
    ) throws(StoreError) -> CommitReceipt {
        if isReadOnly { throw readOnly }
        return try writing.withLock { _ throws(StoreError) in
            var next = current
            let receipt = try next.commit(changes)
            try persist(next)
            tables.withLock { tables in
                // Keys that were handed out meanwhile must not be handed out again.
                next.noteKey(tables.lastKey)
                tables = next
            }
            return receipt
        }
    }

    /// Writes the file again without changing rows, for new metadata.
    package func rewrite() throws(StoreError) {
        if isReadOnly { throw readOnly }
        try writing.withLock { _ throws(StoreError) in try persist?(current) }
    }

    private var readOnly: StoreError { StoreError(.readOnly, "the store is read-only") }

    /// Does nothing: every read sees the committed state.
    package func expireReads() {}
    package func close() {}
}

extension MemoryBackend: GenerationBackend {
    package func requireGenerations() throws(StoreError) {}

    package func pinned() throws(StoreError) -> any StoreBackend {
        MemoryBackend(momentOf: self)
    }
}
