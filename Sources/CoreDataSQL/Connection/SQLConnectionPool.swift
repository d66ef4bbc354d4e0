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
    func write(_ body: (any SQLConnection) throws(SQLError) -> Void) throws(SQLError)

    /// Throws if a pinned pool would keep others from writing.
    func requireGenerations() throws(SQLError)

    /// Returns a pool that reads what is committed now, for as long as it exists, and writes through this
    /// one.
    func pinned() throws(SQLError) -> any SQLConnectionPool

    /// Has the handler called after commits of any connection and process, until the pool closes.
    func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError)

    /// Ends the reuse of open read transactions: none of them serves a read that comes after.
    func expireReads()

    /// Waits for the uses under way and closes all connections.
    func close()
}

// Results are returned through the closure: a generic requirement would look up types at run time, a tenth of
// what a fault costs.
extension SQLConnectionPool {
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
        _ body: (any SQLConnection) throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        var result: Result?
        try write { connection throws(SQLError) in result = try body(connection) }
        return result!
    }
}

package enum ReadFreshness: Sendable, Hashable {
    /// Everything committed before the read, by any connection.
    case latest
    /// Everything committed before a single statement, which needs no transaction to see one state.
    case latestStatement
    /// Everything this process committed: a transaction that an earlier read left open will do, which makes a
    /// fault 2.5 times cheaper. For single statements: the first read after a pause may have no transaction.
    case recent
}
