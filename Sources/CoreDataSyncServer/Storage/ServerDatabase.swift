package import CoreDataSQL

/// The database of a server.
package protocol ServerDatabase: AnyObject, Sendable {
    /// Runs `body` in a transaction and returns when that is durable. What it throws undoes its writes.
    ///
    /// - Parameter body: May run again after an attempt that has written nothing.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result

    /// Runs `body` on one snapshot of the database.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result

    /// Has a hub announce what other processes push, until the database is closed.
    func share(_ pokes: PokeHub)

    /// Tells other processes that this one has pushed something.
    func tellOthers()

    func close()
}

extension ServerDatabase {
    /// A database of one process has no news from others.
    package func share(_ pokes: PokeHub) {}
    package func tellOthers() {}
}

/// The database was written by a newer program, whose tables this one does not know.
package struct NewerDatabase: Error, CustomStringConvertible {
    let place: String
    let version: Int

    package var description: String {
        "\(place) has the format \(version), and this program knows formats up to \(ServerSchema.version)"
    }
}
