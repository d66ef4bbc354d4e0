import CoreDataSQL
import Dispatch
import Foundation
import Synchronization

/// A watch for commits to one database file by any connection or process. After a write to the file or its
/// log, it compares the database's version with the last version that it read.
final class CommitWatch: Sendable {
    private struct State {
        var connection: SQLiteConnection?
        var version: Int64
        /// The number of write events so far. Later looks that an earlier event scheduled are skipped.
        var burst = 0
        var listener: Int?
        var timer: (any DispatchSourceTimer)?
    }

    private let state: Mutex<State>
    private let handler: @Sendable () -> Void
    private let queue = DispatchQueue(label: "CoreData.CommitWatch", qos: .utility)

    /// The delays between a write and the looks at the database, in milliseconds. The pages of a commit are
    /// written before it takes effect, and the disk may take long in between.
    private static let looks = [1, 10, 50, 250, 1000]

    /// The interval between looks at the database where the system does not report writes.
    private static let pollingInterval = DispatchTimeInterval.milliseconds(500)

    /// - Parameters:
    ///   - connection: A connection that only the watch uses.
    ///   - handler: Called after commits.
    init(_ connection: SQLiteConnection, _ handler: @escaping @Sendable () -> Void) throws(SQLError) {
        self.handler = handler
        state = Mutex(State(connection: connection, version: try connection.dataVersion()))
        let file = URL(fileURLWithPath: connection.path).resolvingSymlinksInPath()
        let name = file.lastPathComponent
        let listener = FileEvents.shared.listen(
            in: file.deletingLastPathComponent().path, to: [name, "\(name)-wal"]
        ) { [weak self] in self?.noteWrite() }
        state.withLock { $0.listener = listener }
        if listener == nil { poll() }
    }

    deinit { close() }

    func close() {
        let listener = state.withLock { state in
            state.connection?.close()
            state.connection = nil
            state.timer?.cancel()
            state.timer = nil
            defer { state.listener = nil }
            return state.listener
        }
        if let listener { FileEvents.shared.stop(listener) }
    }

    // MARK: Looking

    private func noteWrite() {
        let burst = state.withLock { state in
            state.burst += 1
            return state.burst
        }
        look(0, after: burst)
    }

    private func look(_ number: Int, after burst: Int) {
        guard number < Self.looks.count else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.looks[number])) { [weak self] in
            guard let self else { return }
            // The first look takes place even if writes go on; later looks only follow the last write.
            guard number == 0 || state.withLock({ $0.burst == burst }) else { return }
            compare()
            look(number + 1, after: burst)
        }
    }

    private func poll() {
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + Self.pollingInterval, repeating: Self.pollingInterval)
            timer.setEventHandler { [weak self] in self?.compare() }
            timer.activate()
            state.timer = timer
        }
    }

    private func compare() {
        let isNew = state.withLock { state in
            // If the database cannot be read now, the next write leads to another look.
            guard let connection = state.connection, let version = try? connection.dataVersion(),
                version != state.version
            else { return false }
            state.version = version
            return true
        }
        if isNew { handler() }
    }
}
