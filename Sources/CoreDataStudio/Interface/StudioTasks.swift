import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation
import Synchronization

/// Work that takes long: its progress is told by events, and it can be cancelled.
package final class StudioTasks: Sendable {
    /// The result of a task that is not JSON.
    struct File: Sendable {
        let contents: TemporaryFile
        let name: String
        let type: StudioResponse.ContentType
    }

    enum Result: Sendable {
        case json(JSONValue)
        case file(File)
    }

    private struct Entry: Sendable {
        let number: Int
        let cancellation: TaskCancellation
        /// The file that the task has made, until it is taken.
        var file: File?
    }

    /// The number of files that wait to be taken: a page may go away before it takes its own.
    private static let mostFiles = 8

    private let entries = Mutex<(byID: [String: Entry], count: Int)>(([:], 0))
    private let events: EventLog
    private let work: RunningWork

    package init(_ events: EventLog, _ work: RunningWork) {
        (self.events, self.work) = (events, work)
    }

    /// Starts work on a thread of its own.
    ///
    /// - Parameter body: Is given the cancellation to look at, and a function to report progress with.
    func start(
        _ title: String,
        _ body:
            @escaping @Sendable (TaskCancellation, @escaping @Sendable (Int, Int) -> Void) throws -> Result
    ) -> JSONValue {
        let cancellation = TaskCancellation()
        let id = entries.withLock { entries in
            entries.count += 1
            let id = "t\(entries.count)"
            entries.byID[id] = Entry(number: entries.count, cancellation: cancellation)
            return id
        }
        Task {
            do {
                let result = try await Blocking.run { [work] in
                    try work.run(title, cancel: cancellation.cancel) {
                        try body(cancellation) { done, total in
                            self.post(
                                id, title, "running",
                                [
                                    .init("done", .integer(Int64(done))),
                                    .init("total", .integer(Int64(total))),
                                ])
                        }
                    }
                }
                switch result {
                case .json(let value):
                    end(id, with: nil)
                    post(id, title, "done", [.init("result", value)])
                case .file(let file):
                    end(id, with: file)
                    post(id, title, "done", [.init("file", .string("tasks/\(id)/file"))])
                }
            } catch is CancellationError {
                end(id, with: nil)
                post(id, title, "cancelled", [])
            } catch {
                end(id, with: nil)
                let message = (error as? StudioFailure)?.message ?? ErrorText.describe(error)
                post(id, title, "failed", [.init("message", .string(message))])
            }
        }
        return .object([.init("task", .string(id))])
    }

    /// Notes that a task has ended. If too many files wait to be taken, the oldest one is dropped.
    private func end(_ id: String, with file: File?) {
        entries.withLock { entries in
            guard file != nil else { return entries.byID[id] = nil }
            entries.byID[id]?.file = file
            let waiting = entries.byID.filter { $0.value.file != nil }
            guard waiting.count > Self.mostFiles,
                let oldest = waiting.min(by: { $0.value.number < $1.value.number })
            else { return }
            entries.byID[oldest.key] = nil
        }
    }

    private func post(_ id: String, _ title: String, _ state: String, _ more: [JSONValue.Member]) {
        events.post(
            .progress,
            .object(
                [
                    .init("task", .string(id)), .init("title", .string(title)),
                    .init("state", .string(state)),
                ] + more))
    }

    /// Cancels a task. One that has ended stays as it is.
    func cancel(_ id: String) {
        entries.withLock { $0.byID[id] }?.cancellation.cancel()
    }

    /// Returns the file that a task made, once: it is gone afterwards.
    func takeFile(of id: String) throws -> StudioResponse {
        let file: File? = entries.withLock { entries in
            guard let file = entries.byID[id]?.file else { return nil }
            entries.byID[id] = nil
            return file
        }
        guard let file else {
            throw StudioFailure(.notFound, "there is no task \(id), or its result was taken")
        }
        return StudioResponse(.parts(file.contents.parts, type: file.type, fileName: file.name))
    }

    /// Answers requests about tasks: the parts of the path behind `tasks`.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) throws -> StudioResponse {
        let path = Array(path)
        switch (request.method, path.count) {
        case (.delete, 1):
            cancel(path[0])
            return .json(.null)
        case (.get, 2) where path[1] == "file": return try takeFile(of: path[0])
        default: throw StudioFailure(.notFound, "a task has no \(path.joined(separator: "/"))")
        }
    }
}

/// Whether a task is still wanted.
final class TaskCancellation: Sendable {
    private let isCancelled = Atomic(false)

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
