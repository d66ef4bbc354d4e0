/// The connections of one store: one writes, several read. Each is used by one thread at a time.
package protocol SQLConnectionPool: AnyObject, Sendable {
    /// Reads in a transaction.
    ///
    /// - Parameter freshness: what the transaction must have seen.
    func read<Result>(
        _ freshness: ReadFreshness,
        _ body: (any SQLConnection) throws(SQLError) -> Result
    ) throws(SQLError) -> Result

    /// Runs on the writing connection, without a transaction: the body begins its own and ends it. A transaction
    /// that is open when the body throws is rolled back.
    func write<Result>(_ body: (any SQLConnection) throws(SQLError) -> Result) throws(SQLError) -> Result

    /// Waits for the uses under way and closes all connections.
    func close()
}

package enum ReadFreshness: Sendable, Hashable {
    /// Everything committed before the read, by anyone.
    case latest
    /// A transaction that an earlier read left open will do, as long as this process committed nothing since: what
    /// makes a fault 2.5 times cheaper.
    case recent
}
