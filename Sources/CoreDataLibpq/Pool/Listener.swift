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
    private let outgoing = Mutex(Outgoing())
    private let isClosed = Atomic<Bool>(false)
    /// The queue that calls the handler, which may run for long, and may wait for the thread that closes the
    /// listener.
    private let queue = DispatchQueue(label: "CoreData.Listener", qos: .utility)
    private let hasEnded = DispatchGroup()

    /// The notifications that are to be sent, each once, and the time at which they are due.
    private struct Outgoing {
        var payloads: [String] = []
        var due: ContinuousClock.Instant?

        /// Whether they are sent now rather than wait for more.
        func isDue(_ isClosing: Bool) -> Bool { due.map { isClosing || $0 <= .now } ?? false }
    }

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

    /// Sends what is to be sent, ends the thread and waits for it.
    func close() {
        isClosed.store(true, ordering: .releasing)
        signal()
        hasEnded.wait()
    }

    /// Sends a notification soon, unless the same one is about to be sent.
    func notify(_ payload: String) {
        let isFirst = outgoing.withLock { outgoing in
            guard !outgoing.payloads.contains(payload) else { return false }
            outgoing.payloads.append(payload)
            guard outgoing.due == nil else { return false }
            outgoing.due = .now.advanced(by: listening.delay)
            return true
        }
        if isFirst { signal() }
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
        // Notifications that were sent before it listened do not arrive.
        if try listening.poll(connection) || isAgain { report(.changed) }
        var nextPoll = ContinuousClock.now.advanced(by: listening.interval)
        while goesOn {
            try send(on: connection)
            if ContinuousClock.now >= nextPoll {
                if try listening.poll(connection) { report(.changed) }
                nextPoll = ContinuousClock.now.advanced(by: listening.interval)
            }
            let payloads = try connection.notifications()
            if !payloads.isEmpty {
                // The next poll is not to find what is reported now.
                _ = try listening.poll(connection)
                var reported: Set<String> = []
                for payload in payloads where reported.insert(payload).inserted {
                    report(.notified(payload))
                }
            }
            guard goesOn else { break }
            let next = min(nextPoll, outgoing.withLock { $0.due } ?? nextPoll)
            wait(on: connection, for: ContinuousClock.now.duration(to: next))
        }
        try send(on: connection)
    }

    /// Sends the notifications that are due. Those of a lost connection are sent again on the next one.
    private func send(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
        let payloads = outgoing.withLock { $0.isDue(!goesOn) ? $0.payloads : [] }
        guard !payloads.isEmpty else { return }
        // A notification that is asked for from now on may be of a later commit.
        outgoing.withLock { outgoing in
            outgoing.payloads.removeFirst(payloads.count)
            outgoing.due = outgoing.payloads.isEmpty ? nil : .now.advanced(by: listening.delay)
        }
        for (index, payload) in payloads.enumerated() {
            do throws(PostgreSQLError) {
                try connection.run(
                    "SELECT pg_notify(?, ?)", ParameterList(listening.channel.name, payload))
            } catch {
                for payload in payloads[index...] { notify(payload) }
                throw error
            }
        }
    }

    private func report(_ event: Listening.Event) {
        queue.async { [self] in
            if goesOn { listening.handler(event) }
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
