import CoreDataSQL
import Dispatch
import Foundation
import Synchronization

/// Notices commits to one database file, whoever makes them: a write to the file or its log has it compare the
/// database's version with the one it saw last.
final class CommitWatch: Sendable {
    private struct State {
        var connection: SQLiteConnection?
        var version: Int64
        /// Counts bursts of writes; looks that belong to an earlier one are given up.
        var burst = 0
        var listener: Int?
        var timer: (any DispatchSourceTimer)?
    }

    private let state: Mutex<State>
    private let handler: @Sendable () -> Void
    private let queue = DispatchQueue(label: "CoreData.CommitWatch", qos: .utility)

    /// When to look after a write, in milliseconds. The pages of a commit are written before it counts, and in
    /// between the disk may have to be waited for.
    private static let looks = [1, 10, 50, 250, 1000]

    /// How often to look where the system does not tell of writes.
    private static let pollingInterval = DispatchTimeInterval.milliseconds(500)

    /// - Parameter connection: becomes the watch's own.
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
            // The first look of a burst is due even if writes go on; the later ones are the last burst's.
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
            // A database that cannot be read now is looked at again after the next write.
            guard let connection = state.connection, let version = try? connection.dataVersion(),
                version != state.version
            else { return false }
            state.version = version
            return true
        }
        if isNew { handler() }
    }
}
