package import CoreDataSQL
import Dispatch
import Foundation
import Synchronization

/// A pool of one connection that writes and up to N connections that read, as a write-ahead log allows. A
/// reader is opened when all others are busy. If there are N readers already, a read waits.
package final class ConnectionPool: SQLConnectionPool {
    private let writer: Mutex<SQLiteConnection?>
    private let readers: [ReadingConnection]
    private let openReader: @Sendable () throws(SQLError) -> SQLiteConnection
    private let watch = Mutex<CommitWatch?>(nil)
    private let isClosed = Atomic<Bool>(false)
    /// The thread that is writing, which must not wait for its own write; 0 if no thread is.
    private let writingThread = Atomic<UInt>(0)

    /// Makes a pool.
    ///
    /// - Parameters:
    ///   - writer: The connection that writes; nil for a store that is only read.
    ///   - readerCount: The greatest number of connections that read.
    ///   - openReader: Opens another connection that reads.
    init(
        writer: SQLiteConnection?,
        readerCount: Int,
        openReader: @escaping @Sendable () throws(SQLError) -> SQLiteConnection
    ) {
        self.writer = Mutex(writer)
        self.openReader = openReader
        readers = (0..<max(1, readerCount)).map { _ in
            ReadingConnection { reader in
                let deadline = DispatchTime.now() + ReadingConnection.idleInterval
                DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline) { reader.endIfIdle() }
            }
        }
    }

    package func read(
        _ freshness: ReadFreshness,
        _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        let last = LastReader.index
        if last < readers.count, readers[last].isOpen,
            try readers[last].readIfFree(freshness, open: open, body)
        {
            return
        }
        for turn in 0..<Self.turns {
            if turn > 0 { Self.pause() }
            for (index, reader) in readers.enumerated()
            where try reader.readIfFree(freshness, open: open, body) {
                LastReader.index = index
                return
            }
        }
        try readers[0].read(freshness, open: open, body)
    }

    /// The number of times that a thread looks for a free reader before it waits in the kernel, since that
    /// takes longer than most reads.
    private static let turns = 16
    private static let pauseNanoseconds: UInt64 = 10_000

    /// Spins for a moment before the thread tries again. Without the pause, threads would alternate on a
    /// connection row by row, and moving its memory between the caches of their cores takes longer than
    /// reading a row.
    private static func pause() {
        let end = DispatchTime.now().uptimeNanoseconds + pauseNanoseconds
        while DispatchTime.now().uptimeNanoseconds < end {}
    }

    private func open() throws(SQLError) -> SQLiteConnection {
        guard !isClosed.load(ordering: .acquiring) else { throw Self.closed }
        return try openReader()
    }

    /// Runs the body once: with the lock of the writer, what fails would fail again.
    package func write(
        mayRepeat: Bool, _ body: (any SQLConnection) throws(SQLError) -> Void
    ) throws(SQLError) {
        let thread = UInt(pthread_self())
        guard writingThread.load(ordering: .relaxed) != thread else { throw Self.nested }
        var failure: SQLError?
        var isCheckpointDue = false
        writer.withLock { connection in
            writingThread.store(thread, ordering: .relaxed)
            defer { writingThread.store(0, ordering: .relaxed) }
            guard let connection else {
                failure = isClosed.load(ordering: .acquiring) ? Self.closed : Self.readOnly
                return
            }
            for reader in readers { reader.endIdleTransaction() }
            do throws(SQLError) {
                try body(connection)
            } catch {
                connection.rollback()
                failure = error
            }
            CommitClock.tick()
            isCheckpointDue = connection.isCheckpointDue
        }
        if isCheckpointDue { scheduleCheckpoint() }
        if let failure { throw failure }
    }

    /// Throws without a write-ahead log, since otherwise readers and writers would wait for each other.
    package func requireGenerations() throws(SQLError) {
        try read(.latest) { connection throws(SQLError) in
            let statement = try connection.prepare("PRAGMA journal_mode")
            defer { statement.reset() }
            guard try statement.step(), case .text(let mode) = statement.value(at: 0), mode != "wal" else {
                return
            }
            throw SQLError(
                kind: .other, code: 1,
                message: "query generations need a write-ahead log, and the store's journal mode is \(mode)",
                sql: nil)
        }
    }

    package func pinned() throws(SQLError) -> any SQLConnectionPool {
        try PinnedPool(try open(), base: self)
    }

    package func watch(_ handler: @escaping @Sendable () -> Void) throws(SQLError) {
        let new = try CommitWatch(try open(), handler)
        let old = watch.withLock { watch in
            defer { watch = new }
            return watch
        }
        old?.close()
    }

    package func expireReads() {
        CommitClock.tick()
    }

    /// Runs a checkpoint after the commit that made it due, so that the caller of the commit need not wait.
    /// Another commit meanwhile waits for the checkpoint as for any writer.
    private func scheduleCheckpoint() {
        DispatchQueue.global(qos: .utility).async { [weak self] in
            self?.writer.withLock { connection in
                if let connection, connection.isCheckpointDue { connection.checkpoint() }
            }
        }
    }

    package func close() {
        isClosed.store(true, ordering: .releasing)
        watch.withLock { $0 }?.close()
        for reader in readers { reader.close() }
        writer.withLock { connection in
            connection?.close()
            connection = nil
        }
    }

    private static let closed = SQLError(
        kind: .cannotOpen, code: 14, message: "the store has been closed", sql: nil)
    private static let nested = SQLError(
        kind: .other, code: 21,
        message: "this thread is writing the store already: a batch insertion's handler must not save to it",
        sql: nil)
    private static let readOnly = SQLError(
        kind: .readOnly, code: 8, message: "the store was opened read-only", sql: nil)
}
