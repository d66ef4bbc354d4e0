package import CoreDataStore
import Synchronization

/// The log to which statements are reported as they end. There may be any number of listeners.
///
/// Without a listener a statement costs two relaxed loads, and a nil test per row.
package enum SQLLog {
    package typealias Detail = StatementDetail
    package typealias Sink = @Sendable (SQLLogEntry) -> Void

    /// A registered listener, until `stop`.
    package struct Listener: StatementListener {
        fileprivate let number: Int

        package func stop() {
            SQLLog.update { $0[number] = nil }
        }
    }

    private struct Registration {
        let detail: Detail
        let sink: Sink
    }

    private static let highest = Atomic<Int>(0)
    private static let lastNumber = Atomic<Int>(0)
    private static let registrations = Mutex<[Int: Registration]>([:])

    /// The greatest detail that any listener asks for; nil without a listener.
    package static var detail: Detail? { Detail(rawValue: highest.load(ordering: .relaxed)) }

    /// Whether there are listeners.
    package static var isEnabled: Bool { highest.load(ordering: .relaxed) > 0 }

    /// Reports every statement of the process from now on, on the thread that runs it.
    ///
    /// The sink must not use the connection.
    package static func listen(_ detail: Detail = .bindings, _ sink: @escaping Sink) -> Listener {
        let listener = Listener(number: lastNumber.add(1, ordering: .relaxed).newValue)
        update { $0[listener.number] = Registration(detail: detail, sink: sink) }
        return listener
    }

    private static func update(_ change: (inout [Int: Registration]) -> Void) {
        registrations.withLock { registrations in
            change(&registrations)
            let detail = registrations.values.map(\.detail.rawValue).max() ?? 0
            highest.store(detail, ordering: .relaxed)
        }
    }

    /// Passes the entry to each listener, reduced to the detail that the listener asked for.
    package static func report(_ entry: SQLLogEntry) {
        let listeners = registrations.withLock { Array($0.values) }
        for listener in listeners { listener.sink(entry.reduced(to: listener.detail)) }
    }
}
