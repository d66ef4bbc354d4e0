import CoreDataModelFormat
import CoreDataStore
package import CoreDataValues
import Synchronization

/// Keys from a sequence for each inheritance tree, which are drawn in blocks.
///
/// A sequence is not part of a transaction: no save waits for another one to get keys. All connections of a
/// store in one process take keys from the same blocks, and the rest of a block is kept for later rows. The
/// keys that a process has left when it ends, and those of a save that fails, are never used.
///
/// A server that takes over from another may not have got the last numbers of the sequences: it would hand
/// out the same blocks once more. Then what is left of blocks is dropped.
package final class KeySequences: KeyAllocator {
    /// The keys for which a sequence is asked once.
    static let blockSize: Int64 = 64

    private let schema: StoreSchema
    private let state = Mutex(State())

    private struct State {
        /// The keys of drawn blocks that no row has yet, by root entity.
        var left: [EntityIndex: NewKeys] = [:]
        /// The history of the server's data of which the blocks are; nil before it is known.
        var history: String?
    }

    package init(_ schema: StoreSchema) { self.schema = schema }

    package var needsTransaction: Bool { false }

    /// Returns the sequence of the keys of a table.
    static func name(for table: SQLIdentifier) -> SQLIdentifier { SQLIdentifier("KEYS_\(table)") }

    /// Returns the query for the last key of the blocks that have been drawn for a table.
    package static func lastKey(of table: SQLIdentifier) -> SQLFragment {
        """
        SELECT CASE WHEN is_called THEN last_value + \(bind: .integer(blockSize - 1)) ELSE 0 END \
        FROM \(name(for: table))
        """
    }

    /// Returns the statement that keeps others from drawing keys until the transaction ends: a change of the
    /// sequence that changes nothing.
    package static func lock(for table: SQLIdentifier) -> SQLText {
        "ALTER SEQUENCE \(name(for: table)) INCREMENT BY \(blockSize)"
    }

    package func keys(
        _ count: Int, of entity: EntityIndex, on connection: any SQLConnection
    ) throws(SQLError) -> NewKeys {
        let root = schema.model[entity].root
        guard let table = schema[root]?.tableName else { throw schema.missing(root) }
        var (keys, history) = state.withLock { ($0.left[root]?.take(count) ?? NewKeys(), $0.history) }
        let missing = count - keys.count
        if missing == 0 { return keys }
        var drawn = try draw(enoughFor: missing, from: Self.name(for: table), on: connection)
        keys.append(drawn.take(missing))
        state.withLock { state in
            // The connection may be to a server that another one has taken over from meanwhile. Another thread
            // may have drawn higher keys.
            if state.history == history { state.left[root, default: NewKeys()].insert(drawn) }
        }
        return keys
    }

    /// Drops the keys that are left if they are of another history of the server's data.
    ///
    /// - Parameter history: The history that a new connection has found, as a name of it.
    package func note(history: String) {
        state.withLock { state in
            guard state.history != history else { return }
            if state.history != nil { state.left = [:] }
            state.history = history
        }
    }

    /// Draws blocks, all in one round trip.
    private func draw(
        enoughFor count: Int, from sequence: SQLIdentifier, on connection: any SQLConnection
    ) throws(SQLError) -> NewKeys {
        let blocks = (Int64(count) + Self.blockSize - 1) / Self.blockSize
        let query: SQLFragment = """
            SELECT nextval(\(quoting: sequence.spelling)) FROM generate_series(1, \(bind: .integer(blocks)))
            """
        var keys = NewKeys()
        try connection.forEachRow(of: query) { row throws(SQLError) in
            let first = row.integer(at: 0)
            // Negative keys are those of rows that are not saved yet.
            guard first > 0, first <= .max - Self.blockSize else {
                throw SQLError(
                    kind: .corrupt, message: "\(sequence) has no sensible next key", sql: nil)
            }
            keys.append(first..<first + Self.blockSize)
        }
        guard keys.count >= count else {
            throw SQLError(kind: .corrupt, message: "\(sequence) gave too few keys", sql: nil)
        }
        return keys
    }
}
