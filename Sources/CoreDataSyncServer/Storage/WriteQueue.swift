import CoreDataSQL
import Dispatch
import Synchronization

/// The writer of a database: one connection that runs one job after the other.
///
/// Jobs that wait while a transaction is written share the next one, each in a savepoint of its own, so that
/// many pushes take one synchronization of the disk. A job is answered when its transaction is durable.
final class WriteQueue: Sendable {
    /// What became of a job's savepoint, and its answer.
    private struct Outcome {
        let isDone: Bool
        let answer: () -> Void
    }

    private struct Job: Sendable {
        let run: @Sendable (any SQLConnection) -> Outcome
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isScheduled = false
        var isClosed = false
    }

    /// The jobs of one transaction, and those that may wait.
    static let most = 64
    static let longest = 1024

    private let connection: any SQLConnection
    private let queue = DispatchQueue(label: "CoreDataSyncServer.WriteQueue", qos: .userInitiated)
    private let state = Mutex(State())

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    /// Runs a job in a transaction. What it throws undoes its own writes alone.
    ///
    /// - Throws: `ServerBusy` if too many jobs wait, the error of the job, or that of its transaction.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { connection in
                    do {
                        let result = try body(connection)
                        return Outcome(isDone: true) { continuation.resume(returning: result) }
                    } catch {
                        return Outcome(isDone: false) { continuation.resume(throwing: error) }
                    }
                }, fail: { continuation.resume(throwing: $0) })
            do {
                try enqueue(job)
            } catch {
                job.fail(error)
            }
        }
    }

    private func enqueue(_ job: Job) throws {
        let starts = try state.withLock { state in
            guard !state.isClosed, state.jobs.count < Self.longest else { throw ServerBusy() }
            state.jobs.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if starts { queue.async { self.drain() } }
    }

    private func drain() {
        while true {
            let jobs = state.withLock { state in
                let jobs = Array(state.jobs.prefix(Self.most))
                state.jobs.removeFirst(jobs.count)
                if jobs.isEmpty { state.isScheduled = false }
                return jobs
            }
            if jobs.isEmpty { return }
            do {
                for outcome in try transaction(of: jobs) { outcome.answer() }
            } catch {
                for job in jobs { job.fail(error) }
            }
        }
    }

    private func transaction(of jobs: [Job]) throws -> [Outcome] {
        var outcomes: [Outcome] = []
        do {
            try connection.begin(.immediate)
            for job in jobs {
                try connection.execute("SAVEPOINT job")
                let outcome = job.run(connection)
                // Where an error has ended the whole transaction, this fails, and so do all of its jobs.
                try connection.execute(outcome.isDone ? "RELEASE job" : "ROLLBACK TO job; RELEASE job")
                outcomes.append(outcome)
            }
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
        return outcomes
    }

    /// Ends what is waiting and closes the connection.
    func close() {
        let jobs = state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.fail(ServerBusy()) }
        queue.sync { connection.close() }
    }
}

/// More waits for the database than can be answered soon.
package struct ServerBusy: Error {
    package init() {}
}
