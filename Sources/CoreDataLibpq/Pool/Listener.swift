import CoreDataSQL
import Dispatch
import Foundation
import Synchronization

/// A thread with a connection that listens, polls and notifies. It connects again when the connection is
/// lost.
final class Listener: Sendable {
    private let listening: Listening
    private let open: @Sendable () throws(PostgreSQLError) -> PostgreSQLConnection
    /// Wakes the thread from its wait for the socket.
    private let wake = Pipe()
    private let outgoing = Mutex<[String]>([])
    private let isClosed = Atomic<Bool>(false)
    private let hasEnded = DispatchGroup()

    /// The time between two attempts to connect.
    private static let retryInterval = Duration.milliseconds(500)

    init(_ listening: Listening, open: @escaping @Sendable () throws(PostgreSQLError) -> PostgreSQLConnection)
    {
        self.listening = listening
        self.open = open
        hasEnded.enter()
        Thread.detachNewThread { [self] in
            run()
            hasEnded.leave()
        }
    }

    /// Ends the thread and waits for it.
    func close() {
        isClosed.store(true, ordering: .releasing)
        signal()
        hasEnded.wait()
    }

    func notify(_ payload: String) {
        outgoing.withLock { $0.append(payload) }
        signal()
    }

    private func signal() {
        var byte: UInt8 = 0
        _ = Foundation.write(wake.fileHandleForWriting.fileDescriptor, &byte, 1)
    }

    private var goesOn: Bool { !isClosed.load(ordering: .acquiring) }

    private func run() {
        var wasConnected = false
        while goesOn {
            do throws(PostgreSQLError) {
                let connection = try open()
                defer { connection.close() }
                try serve(connection, isAgain: wasConnected) { wasConnected = true }
            } catch {
                if goesOn { wait(on: nil, for: Self.retryInterval) }
            }
        }
    }

    private func serve(
        _ connection: PostgreSQLConnection, isAgain: Bool, _ noteConnection: () -> Void
    ) throws(PostgreSQLError) {
        do throws(PostgreSQLError) {
            try connection.execute("LISTEN \(listening.channel)")
        } catch  where error.isRefusalToListen {
            // Changes are still found by polls.
        }
        noteConnection()
        if isAgain { listening.handler(.changed) }
        var nextPoll = ContinuousClock.now.advanced(by: listening.interval)
        while goesOn {
            for payload in outgoing.withLock({ list in
                defer { list = [] }; return list
            }) {
                try connection.run(
                    "SELECT pg_notify(?, ?)", ParameterList(listening.channel.name, payload))
            }
            if ContinuousClock.now >= nextPoll {
                if try listening.poll(connection) { listening.handler(.changed) }
                nextPoll = ContinuousClock.now.advanced(by: listening.interval)
            }
            for payload in try connection.notifications() { listening.handler(.notified(payload)) }
            guard goesOn else { return }
            wait(on: connection, for: ContinuousClock.now.duration(to: nextPoll))
        }
    }

    /// Waits until the connection has something to read, the thread is woken, or the time is over.
    private func wait(on connection: PostgreSQLConnection?, for duration: Duration) {
        var descriptors = [
            pollfd(fd: wake.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        ]
        if let connection {
            descriptors.append(pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0))
        }
        let milliseconds =
            duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: max(0, milliseconds + 1)))
        guard descriptors[0].revents != 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = Foundation.read(descriptors[0].fd, &bytes, bytes.count)
    }
}

extension PostgreSQLError {
    /// Whether a replica or another kind of server has refused LISTEN. Other statements still run.
    fileprivate var isRefusalToListen: Bool { ["25006", "0A000"].contains(state) }
}
