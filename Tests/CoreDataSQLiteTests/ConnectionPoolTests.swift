import CoreDataSQL
import Foundation
import Synchronization
import Testing

@testable import CoreDataSQLite

@Suite("Reading connections of a pool")
struct ConnectionPoolTests {
    /// A pool of empty databases that counts how many it has opened.
    private final class CountingPool: Sendable {
        private let opens = Counter()
        private let pool: ConnectionPool
        var openCount: Int { opens.count }

        init(readerCount: Int) {
            pool = ConnectionPool(writer: nil, readerCount: readerCount) { [opens] () throws(SQLError) in
                opens.note()
                return try SQLiteConnection(path: ":memory:", access: .create)
            }
        }

        deinit { pool.close() }

        func read(_ body: () -> Void = {}) throws {
            try pool.read(.recent) { _ throws(SQLError) in body() }
        }
    }

    /// Reads on a thread of its own until `end()` is called.
    private final class LongRead: Sendable {
        private let hasBegun = DispatchSemaphore(value: 0)
        private let mayEnd = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)

        /// - Parameter next: Work that the thread does afterwards.
        init(of pool: CountingPool, then next: @escaping @Sendable () throws -> Void = {}) {
            Thread.detachNewThread { [hasBegun, mayEnd, hasEnded] in
                do {
                    try pool.read {
                        hasBegun.signal()
                        mayEnd.wait()
                    }
                    try next()
                } catch {
                    Issue.record(error)
                }
                hasEnded.signal()
            }
            hasBegun.wait()
        }

        func end() {
            mayEnd.signal()
            hasEnded.wait()
        }
    }

    @Test("A generation that was closed refuses to be read, and its closed connection is in no transaction")
    func closedGeneration() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        let base = ConnectionPool(writer: nil, readerCount: 1) { () throws(SQLError) in
            try SQLiteConnection(path: ":memory:", access: .create)
        }
        defer { base.close() }
        let generation = try PinnedPool(connection, base: base)
        #expect(connection.isInTransaction)
        generation.close()
        #expect(!connection.isInTransaction)
        #expect(throws: SQLError.self) {
            try generation.read(.latest) { _ throws(SQLError) in Issue.record("it was read") }
        }
    }

    @Test("A second connection opens only while the first is in use, and is reused")
    func secondReader() throws {
        let pool = CountingPool(readerCount: 3)
        for _ in 0..<3 { try pool.read() }
        #expect(pool.openCount == 1)
        let first = LongRead(of: pool)
        try pool.read()
        #expect(pool.openCount == 2)
        let second = LongRead(of: pool)
        #expect(pool.openCount == 2)
        first.end()
        second.end()
    }

    @Test("A second connection to one store does not open a second one to another store")
    func otherPool() throws {
        let pool = CountingPool(readerCount: 2)
        let (other, single) = (CountingPool(readerCount: 2), CountingPool(readerCount: 1))
        let first = LongRead(of: pool)
        let second = LongRead(
            of: pool,
            then: {
                try other.read()
                try single.read()
            })
        second.end()
        first.end()
        #expect(pool.openCount == 2)
        #expect(other.openCount == 1)
        #expect(single.openCount == 1)
        try other.read()
        #expect(other.openCount == 1)
    }

    @Test("A read waits until a connection is free")
    func waiting() throws {
        let pool = CountingPool(readerCount: 1)
        let ended = Mutex<[String]>([])
        let first = LongRead(of: pool, then: { ended.withLock { $0.append("first") } })
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            do {
                try pool.read { ended.withLock { $0.append("second") } }
            } catch {
                Issue.record(error)
            }
        }
        #expect(group.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
        first.end()
        group.wait()
        #expect(Set(ended.withLock { $0 }) == ["first", "second"])
        #expect(pool.openCount == 1)
    }
}
