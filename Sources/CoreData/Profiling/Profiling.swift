import CRuntime
import CoreDataModelFormat
import CoreDataStore
import Foundation
import Synchronization

/// The events of the framework, for those who listen to them.
///
/// Without a listener each event costs a relaxed load, and so does each block that is passed to a queue.
package enum Profiling {
    /// A registered listener, until `stop`.
    package struct Listener: Sendable {
        fileprivate let number: Int
        fileprivate let statements: any StatementListener

        package func stop() {
            statements.stop()
            Profiling.update { $0[number] = nil }
        }
    }

    /// A receiver of events.
    package protocol Sink: Sendable {
        /// Whether it wants what takes time to find out: the text of a request, and the calls that led to an event.
        var wantsDetails: Bool { get }
        /// An event that ended, on the thread that ended it.
        func note(_ event: ProfileEvent)
        /// The values of an object were read from the row cache.
        func noteCacheHit(entity: String, store: StoreMark?)
    }

    private static let count = Atomic<Int>(0)
    /// The number of listeners that want details.
    private static let detailedCount = Atomic<Int>(0)
    private static let lastNumber = Atomic<Int>(0)
    private static let sinks = Mutex<[Int: any Sink]>([:])

    /// Whether there are listeners.
    @inline(__always)
    static var isOn: Bool { count.load(ordering: .relaxed) > 0 }

    /// Whether a listener wants details.
    static var isDetailed: Bool { detailedCount.load(ordering: .relaxed) > 0 }

    static var listeners: [any Sink] { sinks.withLock { Array($0.values) } }

    /// Tells a sink of every event of the process from now on. The sink must not use the framework.
    package static func listen(_ sink: any Sink) -> Listener {
        let statements = sqliteStores.observe { record in
            var event = ProfileEvent(.statement, start: .now - record.duration)
            event.duration = record.duration
            (event.detail, event.count) = (record.sql, record.rowCount)
            (event.store, event.failure) = (record.place, record.failure)
            event.mark = StoreMark(place: record.place)
            sink.note(event)
        }
        let listener = Listener(
            number: lastNumber.add(1, ordering: .relaxed).newValue, statements: statements)
        update { $0[listener.number] = sink }
        return listener
    }

    private static func update(_ change: (inout [Int: any Sink]) -> Void) {
        sinks.withLock { sinks in
            change(&sinks)
            count.store(sinks.count, ordering: .relaxed)
            detailedCount.store(sinks.values.count(where: \.wantsDetails), ordering: .relaxed)
        }
    }

    // MARK: Events

    /// Runs a body, and tells the listeners how long it took.
    ///
    /// - Parameter describe: Completes the event after the body, with its result; nil if it has thrown an error.
    @inline(__always)
    @discardableResult
    static func recording<Result, Failure: Error>(
        _ kind: ProfileEvent.Kind, _ body: () throws(Failure) -> Result,
        describe: (inout ProfileEvent, Result?) -> Void
    ) throws(Failure) -> Result {
        guard isOn else { return try body() }
        return try record(kind, body, describe)
    }

    @inline(never)
    private static func record<Result, Failure: Error>(
        _ kind: ProfileEvent.Kind, _ body: () throws(Failure) -> Result,
        _ describe: (inout ProfileEvent, Result?) -> Void
    ) throws(Failure) -> Result {
        let listeners = listeners
        var outcome: Swift.Result<Result, Failure>?
        var event = ProfileScope.run(kind, in: listeners) {
            var event = ProfileEvent(kind)
            let ended = Swift.Result(catching: body)
            event.duration = .now - event.start
            if case .failure(let error) = ended { event.note(error) }
            describe(&event, try? ended.get())
            outcome = ended
            return event
        }
        if listeners.contains(where: \.wantsDetails) { event.callers = CallStack.callers() }
        for sink in listeners { sink.note(event) }
        guard let outcome else { preconditionFailure("a scope has not run the work of an event") }
        return try outcome.get()
    }

    /// Notes that the values of an object were in the row cache.
    @inline(never)
    static func noteCacheHit(_ object: NSManagedObject) {
        let name = object.runtime.compiled.name
        let store = object.managedObjectContext?.handle(at: object.storeIndex)?.mark
        for sink in listeners { sink.noteCacheHit(entity: name, store: store) }
    }
}

/// The calls that led to a place in the program.
enum CallStack {
    private static let depth = 40

    /// Returns the addresses to which the calls return, the innermost first.
    @inline(never)
    static func callers() -> [UInt] {
        withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: depth) { frames in
            let count = Int(opencoredata_backtrace(frames.baseAddress, Int32(depth)))
            // The first is this function.
            return frames[min(1, count)..<count].map { UInt(bitPattern: $0) }
        }
    }
}

extension ThreadMark {
    static var current: ThreadMark {
        ThreadMark(number: UInt64(UInt(pthread_self())), isMain: Thread.isMainThread)
    }
}

extension ProfileEvent {
    /// Notes the context that did it, its stores, and the mark of its store if it has one only.
    mutating func note(_ context: NSManagedObjectContext) {
        self.context = context.name ?? Printing.address(context)
        let handles = context.persistentStoreCoordinator?.handles ?? []
        if handles.count == 1 { mark = handles[0].mark }
        note(handles.lazy.map(\.store))
    }

    mutating func note(_ stores: some Sequence<NSPersistentStore>) {
        if Profiling.isDetailed { self.stores = stores.compactMap(\.identifier) }
    }

    fileprivate mutating func note(_ error: some Error) {
        let error = error as NSError
        failure = error.localizedFailureReason ?? "\(error)"
        failureCode = "\(error.domain) \(error.code)"
    }
}
