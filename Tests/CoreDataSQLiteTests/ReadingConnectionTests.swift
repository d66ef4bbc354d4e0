import CoreDataSQL
import Testing

@testable import CoreDataSQLite

@Suite("The transaction that reads share")
struct ReadingConnectionTests {
    @Test("Several reads share one transaction, which a single check ends after the last of them")
    func oneCheck() throws {
        let requests = Counter()
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        let reader = ReadingConnection { _ in requests.note() }
        func read() throws {
            try reader.read(.latest, open: { () throws(SQLError) in connection }) { _ throws(SQLError) in }
        }
        for _ in 0..<5 { try read() }
        #expect(requests.count == 1)
        #expect(connection.isInTransaction)
        // There were reads since the last check.
        reader.endIfIdle()
        #expect(requests.count == 2)
        #expect(connection.isInTransaction)
        reader.endIfIdle()
        #expect(requests.count == 2)
        #expect(!connection.isInTransaction)
        try read()
        #expect(requests.count == 3)
        #expect(connection.isInTransaction)
    }

    @Test("A statement outside of a transaction ends the shared transaction and starts none")
    func statementsAlone() throws {
        let requests = Counter()
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        let reader = ReadingConnection { _ in requests.note() }
        func isInTransaction(reading freshness: ReadFreshness) throws -> Bool {
            var isInTransaction = false
            try reader.read(freshness, open: { () throws(SQLError) in connection }) {
                connection throws(SQLError) in
                isInTransaction = connection.isInTransaction
            }
            return isInTransaction
        }
        #expect(try !isInTransaction(reading: .latestStatement))
        #expect(requests.count == 0)
        #expect(try isInTransaction(reading: .latest))
        #expect(try !isInTransaction(reading: .latestStatement))
        #expect(!connection.isInTransaction)
    }
}
