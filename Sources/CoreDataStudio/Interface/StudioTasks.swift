import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation
import Synchronization

/// Work that takes long: its progress is told by events, and it can be cancelled.
package final class StudioTasks: Sendable {
    /// The result of a task that is not JSON.
    struct File: Sendable {
        let path: URL
        let name: String
        let type: StudioResponse.ContentType
    }

    enum Result: Sendable {
        case json(JSONValue)
        case file(File)
    }

    private struct Entry: Sendable {
        let cancellation: TaskCancellation
        /// The file that the task has made, until it is taken.
        var file: File?
    }

    private let entries = Mutex<(byID: [String: Entry], count: Int)>(([:], 0))
    private let events: EventLog

    package init(_ events: EventLog) {
        self.events = events
    }

    /// Starts work on a thread of its own.
    ///
    /// - Parameter work: Is given the cancellation to look at, and a function to report progress with.
    func start(
        _ title: String,
        _ work:
            @escaping @Sendable (TaskCancellation, @escaping @Sendable (Int, Int) -> Void) throws -> Result
    ) -> JSONValue {
        let cancellation = TaskCancellation()
        let id = entries.withLock { entries in
            entries.count += 1
            entries.byID["t\(entries.count)"] = Entry(cancellation: cancellation)
            return "t\(entries.count)"
        }
        Task {
            do {
                let result = try await Blocking.run {
                    try work(cancellation) { done, total in
                        self.post(
                            id, title, "running",
                            [
                                .init("done", .integer(Int64(done))), .init("total", .integer(Int64(total))),
                            ])
                    }
                }
                switch result {
                case .json(let value): post(id, title, "done", [.init("result", value)])
                case .file(let file):
                    entries.withLock { $0.byID[id]?.file = file }
                    post(id, title, "done", [.init("file", .string("tasks/\(id)/file"))])
                }
            } catch is CancellationError {
                post(id, title, "cancelled", [])
            } catch {
                let message = (error as? StudioFailure)?.message ?? ErrorText.describe(error)
                post(id, title, "failed", [.init("message", .string(message))])
            }
        }
        return .object([.init("task", .string(id))])
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

    func cancel(_ id: String) throws {
        guard let entry = entries.withLock({ $0.byID[id] }) else { throw Self.unknown(id) }
        entry.cancellation.cancel()
    }

    /// Returns the file that a task made, once: it is removed afterwards.
    func takeFile(of id: String) throws -> StudioResponse {
        let file: File? = entries.withLock { entries in
            guard let file = entries.byID[id]?.file else { return nil }
            entries.byID[id] = nil
            return file
        }
        guard let file else { throw Self.unknown(id) }
        return StudioResponse(.parts(Self.parts(of: file.path), type: file.type, fileName: file.name))
    }

    /// Returns the parts of a file, which is removed when they have been sent.
    private static func parts(of path: URL) -> AsyncThrowingStream<[UInt8], any Error> {
        let reader = Mutex<FileHandle?>(try? FileHandle(forReadingFrom: path))
        try? FileManager.default.removeItem(at: path)
        return AsyncThrowingStream {
            try reader.withLock { reader in
                guard let part = try reader?.read(upToCount: 256 << 10), !part.isEmpty else {
                    try reader?.close()
                    reader = nil
                    return nil
                }
                return Array(part)
            }
        }
    }

    private static func unknown(_ id: String) -> StudioFailure {
        StudioFailure(.notFound, "there is no task \(id), or its result was taken")
    }

    /// Answers requests about tasks: the parts of the path behind `tasks`.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) throws -> StudioResponse {
        let path = Array(path)
        switch (request.method, path.count) {
        case (.delete, 1):
            try cancel(path[0])
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
