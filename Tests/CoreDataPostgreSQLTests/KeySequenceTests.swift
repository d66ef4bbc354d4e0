import CoreDataLibpq
import CoreDataModelFormat
import CoreDataSQL
import CoreDataValues
import Foundation
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import CoreDataPostgreSQL

@Suite("Keys from sequences", .needsServer)
struct KeySequenceTests {
    private let schema: StoreSchema
    private let options: ConnectionOptions

    /// Makes the tables of a store with one entity.
    init() throws {
        let model = try ModelCompiler(ModelDocument(entities: [EntityElement(name: "Item")])).compile()
        let new = try SchemaCompiler(model, dialect: PostgreSQLDialect()).compile()
        schema = new.schema
        let name = "keys-\(UUID().uuidString)"
        options = try ConnectionOptions(TestServer.shared().url(with: "schema=\(name)"))
        let connection = try PostgreSQLConnection(options)
        try connection.execute("CREATE SCHEMA \(SQLIdentifier(name))")
        for statement in new.statements where statement.bindings.isEmpty { try connection.run(statement.sql) }
    }

    private func session() throws -> Session { Session(try PostgreSQLConnection(options)) }

    private func take(_ count: Int, of keys: KeySequences, on session: Session) throws -> [Int64] {
        var new = try keys.keys(count, of: 0, on: session)
        return (0..<count).map { _ in new.next() }
    }

    @Test("Threads that share blocks, and processes that do not, never get the same key")
    func threads() throws {
        let processes = [KeySequences(schema), KeySequences(schema)]
        let taken = Mutex<[Int64]>([])
        let work = (0..<8).map { thread in
            Work {
                let session = try session()
                defer { session.close() }
                for round in 0..<60 {
                    let new = try take(1 + (round * 7 + thread) % 50, of: processes[thread % 2], on: session)
                    #expect(new == new.sorted())
                    taken.withLock { $0 += new }
                }
            }
        }
        for one in work { try one.finish() }
        let all = taken.withLock { $0 }
        #expect(Set(all).count == all.count)
        #expect(all.allSatisfy { $0 > 0 })
    }

    @Test("Keys that are left of blocks are dropped when another history of the data is met")
    func histories() throws {
        let keys = KeySequences(schema)
        let session = try session()
        defer { session.close() }
        keys.note(history: "1/00000001")
        #expect(try take(2, of: keys, on: session) == [1, 2])
        keys.note(history: "1/00000001")
        #expect(try take(1, of: keys, on: session) == [3])
        keys.note(history: "1/00000002")
        #expect(try take(1, of: keys, on: session) == [65])
        keys.note(history: "2/00000002")
        #expect(try take(1, of: keys, on: session) == [129])
    }

    @Test("Each new connection tells the history of the server's data before it is used")
    func noting() throws {
        let histories = Mutex<[String]>([])
        let pool = SessionPool(
            options, limits: PostgreSQLPool.Limits(), timeout: 5, isReadOnly: false, leavesMarks: false,
            keepsHistory: false,
            noteHistory: { history in histories.withLock { $0.append(history) } })
        defer { pool.close() }
        #expect(histories.withLock { $0 } == [])
        try pool.read(.latestStatement) { _ throws(SQLError) in
            #expect(histories.withLock { $0.count } == 1)
        }
        let parts = try #require(histories.withLock { $0.first }).split(separator: "/")
        #expect(parts.count == 2)
        #expect(UInt64(parts[0]) != nil)
        #expect(UInt32(parts[1], radix: 16) == 1)
    }
}
