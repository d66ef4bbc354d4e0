import CoreDataJSON
package import CoreDataStudioInterface
import Foundation
import Synchronization

/// The statements and tasks that run now. Pages show them, and can cancel each.
package final class RunningWork: Sendable {
    private struct Entry {
        let title: String
        let start: Date
        let cancel: @Sendable () -> Void
    }

    private let entries = Mutex<(byNumber: [Int: Entry], count: Int)>(([:], 0))
    private let events: EventLog

    package init(_ events: EventLog) {
        self.events = events
    }

    /// Does work that pages see as long as it runs.
    ///
    /// - Parameter cancel: Ends the work early, from any thread.
    package func run<Result>(
        _ title: String, cancel: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
        let number = change { entries in
            entries.count += 1
            entries.byNumber[entries.count] = Entry(title: title, start: Date(), cancel: cancel)
            return entries.count
        }
        defer { change { $0.byNumber[number] = nil } }
        return try body()
    }

    /// Changes the list and tells it, in the order of the changes.
    private func change<Result>(
        _ body: (inout (byNumber: [Int: Entry], count: Int)) -> Result
    ) -> Result {
        entries.withLock { entries in
            let result = body(&entries)
            events.post(.work, Self.json(entries.byNumber))
            return result
        }
    }

    private static func json(_ entries: [Int: Entry]) -> JSONValue {
        .array(
            entries.sorted { $0.key < $1.key }.map { number, entry in
                .object([
                    .init("id", .integer(Int64(number))), .init("title", .string(entry.title)),
                    .init("since", .string(entry.start.ISO8601Format())),
                ])
            })
    }

    /// Answers requests about work: the parts of the path behind `work`. To cancel what has ended does nothing.
    package func answer(_ request: StudioRequest, _ path: ArraySlice<String>) throws -> StudioResponse {
        switch (request.method, path.count) {
        case (.get, 0): return .json(entries.withLock { Self.json($0.byNumber) })
        case (.delete, 1):
            let number = path.first.flatMap { Int($0) } ?? 0
            entries.withLock { $0.byNumber[number] }?.cancel()
            return .json(.null)
        default: throw StudioFailure(.notFound, "work has no \(path.joined(separator: "/"))")
        }
    }
}
