import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

/// A standby of a test, with a connection that has it stop and go on following.
struct Follower {
    let replica: Replica
    let observer: PostgreSQLConnection

    var port: Int { replica.server.port }

    /// - Parameter other: The standby that this one follows; nil for one that follows the tests' server.
    init(following other: Follower? = nil) throws {
        replica = try Replica(following: other?.replica)
        observer = try PostgreSQLConnection(try ConnectionOptions(replica.server.url), role: .reader)
    }

    /// Waits until the standby has what its primary has now.
    ///
    /// - Parameter primary: A connection to the primary.
    func catchUp(with primary: PostgreSQLConnection) throws {
        var place = ""
        // The standby gets what the primary has flushed, which saves do not wait for in tests.
        try primary.execute("SET synchronous_commit = on")
        try primary.forEachRow(
            of: "SELECT CAST(pg_logical_emit_message(true, 'caught up', '') AS text)"
        ) { row in place = row.value(0) ?? "" }
        let latest = Date(timeIntervalSinceNow: 120)
        let question: SQLText = "SELECT 1 WHERE pg_last_wal_replay_lsn() >= CAST(CAST(? AS text) AS pg_lsn)"
        while try observer.run(question, ParameterList(place)) == 0 {
            try #require(latest.timeIntervalSinceNow > 0, "the standby does not follow")
        }
    }

    /// Has the standby stay as it is.
    func pause() throws {
        try observer.run("SELECT pg_wal_replay_pause()")
        while try observer.run("SELECT 1 WHERE pg_get_wal_replay_pause_state() = 'paused'") == 0 {}
    }

    /// Has the standby follow again.
    func resume() throws { try observer.run("SELECT pg_wal_replay_resume()") }

    /// Makes the standby a primary.
    func promote() throws {
        try observer.run("SELECT pg_promote()")
        while try observer.run("SELECT 1 WHERE pg_is_in_recovery()") > 0 {}
    }

    func stop() {
        observer.close()
        replica.stop()
    }
}
