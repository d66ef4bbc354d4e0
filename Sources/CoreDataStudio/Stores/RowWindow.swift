import CoreDataJSON
import CoreDataModelFormat
import CoreDataStore
import CoreDataStudioInterface
import CoreDataTool
import CoreDataValues
import Synchronization

/// A list of the rows that a fetch found, which shows them as they were at one moment.
///
/// The first rows are there at once; meanwhile the number of all and their ordered keys are read in the
/// background. With the keys, every page costs the same, however far down it lies.
final class RowWindow: Sendable {
    let id: String
    let request: WindowRequest
    let source: RowSource
    private let isPinned: Bool
    private let watch = FetchWatch { _ in }
    private let state: Mutex<State>
    private let session: String
    private let title: String
    private let events: EventLog
    private let work: RunningWork

    private struct State {
        var rows: [ObjectReference]
        /// The number of all rows; nil while it is counted.
        var total: Int?
        /// Whether `rows` are all of them.
        var isComplete: Bool
        var failure: (any Error)?
        var isClosed = false
        /// Whether the store has changed since.
        var isOld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The number of rows that are read before anything else.
    static let firstCount = 100
    /// The greatest number of rows of one answer.
    static let pageLimit = 500

    init(_ id: String, _ request: WindowRequest, of session: StoreSession) throws {
        self.id = id
        self.request = request
        self.session = session.id
        title = "\(request.title) in \(session.name)"
        (events, work) = (session.events, session.work)
        let pinned = session.source.pinned()
        isPinned = pinned.isPinned(from: session.source)
        source = pinned
        var first = request.specification
        first.limit = Self.firstCount
        let rows: [ObjectReference]
        do {
            rows = try Self.run("First rows of \(title)", in: work, watch) { try pinned.references(first) }
        } catch {
            if isPinned { pinned.backend.close() }
            throw error
        }
        let isComplete = rows.count < Self.firstCount
        state = Mutex(State(rows: rows, total: isComplete ? rows.count : nil, isComplete: isComplete))
        if !isComplete { Task { [weak self] in await self?.readRest() } }
    }

    // MARK: In the background

    /// Runs a statement of the list, which pages see meanwhile and can cancel.
    private static func run<Result>(
        _ title: String, in work: RunningWork, _ watch: FetchWatch, _ body: () throws -> Result
    ) throws -> Result {
        try work.run(title, cancel: { watch.cancel() }) { try TimeLimit.run(watch, body) }
    }

    private func readRest() async {
        let (source, specification, watch) = (source, request.specification, watch)
        let (title, work) = (title, work)
        do {
            let total = try await Blocking.run {
                try Self.run("Count of \(title)", in: work, watch) { try source.count(specification) }
            }
            state.withLock { $0.total = $0.total ?? total }
            announce()
            let rows = try await Blocking.run {
                try Self.run("All keys of \(title)", in: work, watch) {
                    try source.references(specification)
                }
            }
            finish { state in
                (state.rows, state.total, state.isComplete) = (rows, rows.count, true)
            }
        } catch {
            finish { $0.failure = $0.failure ?? error }
        }
        if !state.withLock({ $0.isClosed }) { announce() }
    }

    private func finish(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func announce() {
        events.post(
            .progress,
            .object([
                .init("store", .string(session)), .init("window", .string(id)), .init("total", total),
                .init("isComplete", .boolean(state.withLock { $0.isComplete })),
                .init("failure", failureText),
            ]))
    }

    private var failureText: JSONValue {
        guard let failure = state.withLock({ $0.isClosed ? nil : $0.failure }) else { return .null }
        return .string((failure as? StudioFailure)?.message ?? ErrorText.describe(failure))
    }

    /// Cancels what still runs, and lets the store go on.
    func close() {
        state.withLock { $0.isClosed = true }
        watch.cancel()
        finish { $0.failure = $0.failure ?? StudioFailure(.notFound, "the list is closed: open it again") }
        if isPinned { source.backend.close() }
    }

    func noteCommit() { state.withLock { $0.isOld = true } }

    // MARK: Answers

    /// Returns rows from a position on.
    ///
    /// Waits for the keys of all rows if the position lies behind the first ones.
    func rows(from: Int, count: Int) async throws -> JSONValue {
        guard from >= 0, count > 0, count <= Self.pageLimit else {
            throw StoreFailures.malformed("a page has 1 to \(Self.pageLimit) rows, from 0 on")
        }
        let needed = from + count
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.isComplete || state.failure != nil || needed <= state.rows.count
                if !isReady { state.waiting.append(continuation) }
                return isReady
            }
            if isReady { continuation.resume() }
        }
        return try await Blocking.run { try self.page(from: from, count: count) }
    }

    /// Returns rows that are known by now.
    func page(from: Int, count: Int) throws -> JSONValue {
        let (rows, failure) = state.withLock { state in
            (Array(state.rows.dropFirst(from).prefix(count)), state.failure)
        }
        if rows.isEmpty, let failure { throw failure }
        let cells = try TimeLimit.run { try source.cells(of: rows, request.columns) }
        let lines = zip(rows, cells).map { row, cells in
            JSONValue.array([.string(source.name(of: row))] + (cells?.map(\.json) ?? []))
        }
        return .object([
            .init("from", .integer(Int64(from))), .init("rows", .array(lines)), .init("total", total),
            .init("isOld", .boolean(state.withLock { $0.isOld })),
        ])
    }

    /// Returns the position of an object in the list; nil if it is not in it, or not known yet.
    func position(of row: ObjectReference) -> Int? {
        state.withLock { $0.rows.firstIndex { $0 == row } }
    }

    private var total: JSONValue {
        state.withLock { state in
            .object([
                .init("count", .integer(Int64(state.total ?? state.rows.count))),
                .init("isExact", .boolean(state.total != nil)),
            ])
        }
    }

    /// The description of the list with its first rows.
    func description() throws -> JSONValue {
        let columns = request.columns.map { PropertyDescription.json($0, in: source.model.compiled) }
        guard case .object(let page) = try page(from: 0, count: Self.firstCount) else { return .null }
        return .object(
            [
                .init("window", .string(id)), .init("entity", .string(request.entity.name)),
                .init("columns", .array(columns)),
            ] + page)
    }
}
