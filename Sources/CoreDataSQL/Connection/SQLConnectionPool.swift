/// The connections of one store: one writes, several read.
///
/// Each is used by one thread at a time.
package protocol SQLConnectionPool: AnyObject, Sendable {
    /// Reads in a transaction, or a single statement without one.
    ///
    /// - Parameter freshness: The commits that the transaction must have seen.
    func read(
        _ freshness: ReadFreshness,
        _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError)

    /// Runs the body on the writing connection, without a transaction: the body begins its own and ends it.
    ///
    /// A transaction that is open when the body throws is rolled back.
    ///
    /// - Parameter mayRepeat: Whether the body may run again after an attempt that has committed nothing: with
    ///   a server, connections are lost, and transactions that wait for each other are broken off.
    func write(mayRepeat: Bool, _ body: (any SQLConnection) throws(SQLError) -> Void) throws(SQLError)

    /// Runs the body as `write` does, which may repeat it, while no other program runs such a body on the store.
    func writeAlone(_ body: (any SQLConnection) throws(SQLError) -> Void) throws(SQLError)

    /// Returns whether a transaction was committed whose outcome was unknown. If it was not, it cannot be any
    /// more.
    func isCommitted(_ mark: CommitMark) throws(SQLError) -> Bool

    /// Throws if a pinned pool would keep other connections from writing.
    func requireGenerations() throws(SQLError)

    /// Returns a pool that reads what is committed now, for as long as it exists, and writes through this
    /// one.
    func pinned() throws(SQLError) -> any SQLConnectionPool

    /// Has the handler called after commits of any connection and process, until the pool closes.
    func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError)

    /// Has later reads see what is committed by now: ends the reuse of open read transactions, and reads from a
    /// standby until it has followed.
    func expireReads()

    /// Whether a read may arrive later than one that began after it and saw more, as from two servers.
    var readsMayOvertake: Bool { get }

    /// Waits for the uses under way and closes all connections.
    func close()
}

// The closure hands out the result, since a generic requirement of the protocol would look up types at run
// time, which takes a tenth of a fault's time.
extension SQLConnectionPool {
    package var readsMayOvertake: Bool { false }

    /// A database in the process has no transactions whose outcome is unknown.
    package func isCommitted(_ mark: CommitMark) throws(SQLError) -> Bool { false }

    package func writeAlone(_ body: (any SQLConnection) throws(SQLError) -> Void) throws(SQLError) {
        try write(mayRepeat: true, body)
    }

    @inline(__always)
    func reading<Result>(
        _ freshness: ReadFreshness,
        _ body: (any SQLConnection) throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        var result: Result?
        try read(freshness) { connection throws(SQLError) in result = try body(connection) }
        return result!
    }

    @inline(__always)
    func writing<Result>(
        mayRepeat: Bool, _ body: (any SQLConnection) throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        var result: Result?
        try write(mayRepeat: mayRepeat) { connection throws(SQLError) in result = try body(connection) }
        return result!
    }
}

package enum ReadFreshness: Sendable, Equatable {
    /// Everything committed before the read, by any connection.
    case latest
    /// Everything committed before a single statement, which sees one state of the database without a
    /// transaction. From a standby that follows the server: at least what this store has read and committed.
    case latestStatement
    /// Everything that this process has committed, and from a standby what it has read. The read may use a transaction that an earlier read left
    /// open, which makes a fault 2.5 times cheaper. It is for single statements, since the first read after a
    /// pause may have no transaction.
    case recent
}
