import CoreData
import CoreDataLibpq
import CoreDataStore
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataPostgreSQL
@testable import CoreDataSQL

@MainActor
@Suite(
    "The history of PostgreSQL stores on a standby",
    .enabled(if: Replica.isAvailable, "\(TestServer.absence)"))
struct StandbyHistoryTests {
    private let standby: Replica
    private let place: HistoryPlace
    private let primary: PostgreSQLConnection
    private let replica: PostgreSQLConnection

    init() throws {
        place = try HistoryPlace()
        try place.save("a")
        standby = try Replica()
        let schema = try #require(place.url.query?.split(separator: "&").first { $0.hasPrefix("schema=") })
        let url = try #require(URL(string: standby.server.url(with: String(schema))))
        primary = try place.session()
        replica = try PostgreSQLConnection(ConnectionOptions(url.absoluteString), role: .reader)
    }

    /// What a reader finds.
    private struct Found {
        var names: [String] = []
        /// The positions after each transaction.
        var marks: [HistoryMark] = []
        /// The present position.
        var present = HistoryMark(0)
        var isComplete = true
    }

    /// Reads what is new on a server.
    private func read(_ connection: PostgreSQLConnection, after mark: HistoryMark?) throws -> Found {
        let session = Session(connection)
        var found = Found()
        try session.begin(.deferred)
        let moment = try HistoryMoment(on: session)
        if let mark { found.isComplete = try moment.keeps(since: mark, on: session) }
        let progress = try HistoryProgress(after: mark, moment, on: session)
        found.present = moment.mark
        for number in progress.numbers {
            found.marks.append(progress.mark(after: number))
            let name: SQLFragment = "SELECT ZAUTHOR FROM ATRANSACTION WHERE Z_PK = \(bind: .integer(number))"
            try session.forEachRow(of: name) { row in
                if case .text(let name) = row.value(at: 0) { found.names.append(name) }
            }
        }
        try session.commit()
        return found
    }

    /// Waits until the standby has what is committed.
    private func catchUp() throws {
        var end = ""
        try primary.forEachRow(of: "SELECT CAST(pg_current_wal_insert_lsn() AS text)", ParameterList()) {
            row in
            end = row.value(0) ?? ""
        }
        try wait("SELECT 1 WHERE pg_last_wal_replay_lsn() >= CAST(? AS pg_lsn)", ParameterList(end))
    }

    private func wait(_ condition: SQLText, _ parameters: ParameterList = ParameterList()) throws {
        while try replica.run(condition, parameters) == 0 { usleep(1000) }
    }

    @Test("A standby reads each transaction once, with its own tokens and those of the other server")
    func reading() throws {
        defer { standby.stop() }
        let long = try place.session()
        defer { long.close() }
        try long.beginWriting()
        try place.save("b")
        try catchUp()
        let all = try read(replica, after: nil)
        #expect(all.names == ["a", "b"])
        let ofPrimary = try read(primary, after: nil).present
        try long.record("long")
        try long.commit()
        try place.save("c")
        try catchUp()
        for mark in [all.marks[1], all.present, ofPrimary] {
            #expect(try read(replica, after: mark).names == ["long", "c"])
            #expect(try read(primary, after: mark).names == ["long", "c"])
        }
        #expect(try read(replica, after: all.marks[0]).names == ["b", "long", "c"])

        // The standby falls behind.
        try replica.execute("SELECT pg_wal_replay_pause()")
        try wait("SELECT 1 WHERE pg_get_wal_replay_pause_state() = 'paused'")
        try place.save("d")
        let ahead = try read(primary, after: nil).present
        let behind = try read(replica, after: ahead)
        #expect(behind.names == [])
        #expect(behind.isComplete)
        #expect(try read(replica, after: all.present).names == ["long", "c"])
        let marks = try read(replica, after: all.present).marks
        let last = try #require(marks.last)
        try replica.execute("SELECT pg_wal_replay_resume()")
        try place.save("e")
        try catchUp()
        #expect(try read(replica, after: ahead).names == ["e"])
        for server in [replica, primary] {
            #expect(try read(server, after: last).names == ["d", "e"])
            #expect(try read(server, after: last).isComplete)
        }
        try primary.execute("DELETE FROM ATRANSACTION WHERE ZAUTHOR = 'd'")
        try catchUp()
        for server in [replica, primary] {
            try server.waitUntilEnded(upTo: #require(ahead.seen?.last))
            #expect(try !read(server, after: ahead).isComplete)
        }
    }
}
