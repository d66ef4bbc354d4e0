#if Metrics
import CoreData
import CoreMetrics
import Synchronization

/// The counters and timers of events.
///
/// Each has the dimensions `store` and `entity`, empty where an event has none or several: some receivers refuse a
/// metric whose dimensions change.
final class MetricReport: Sendable {
    private struct Key: Hashable {
        let name: String
        let store: String
        let entity: String

        init(_ name: String, _ store: StoreMark?, _ entity: String?) {
            (self.name, self.store, self.entity) = (name, store?.name ?? "", entity ?? "")
        }

        var dimensions: [(String, String)] { [("store", store), ("entity", entity)] }
    }

    private let factory: (any MetricsFactory)?
    private let counters = Mutex<[Key: Counter]>([:])
    private let timers = Mutex<[Key: CoreMetrics.Timer]>([:])

    /// - Parameter factory: The maker of counters and timers; nil for the process's, as it is at the first event.
    init(_ factory: (any MetricsFactory)?) { self.factory = factory }

    func note(_ event: ProfileEvent) {
        count(event.kind.total, 1, event)
        time(event)
        if event.failure != nil { count("\(event.kind.prefix).failures", 1, event) }
        switch event.kind {
        case .fetch:
            count("coredata.rows.read", event.count ?? 0, event)
        case .fault:
            // An object whose row is gone was looked for, too.
            count("coredata.fault.misses", max(event.count ?? 1, 1), event)
            count("coredata.rows.read", event.count ?? 0, event)
        case .save:
            count("coredata.rows.written", event.count ?? 0, event)
        case .count, .relationship, .merge, .migration, .statement:
            break
        }
    }

    func noteCacheHit(entity: String, store: StoreMark?) {
        increment(Key("coredata.fault.hits", store, entity), by: 1)
    }

    private func count(_ name: String, _ amount: Int, _ event: ProfileEvent) {
        guard amount > 0 else { return }
        increment(Key(name, event.mark, event.entity), by: amount)
    }

    private func increment(_ key: Key, by amount: Int) {
        let counter = counters.withLock { counters in
            if let known = counters[key] { return known }
            let counter = Counter(
                label: key.name, dimensions: key.dimensions, factory: factory ?? MetricsSystem.factory)
            counters[key] = counter
            return counter
        }
        counter.increment(by: amount)
    }

    private func time(_ event: ProfileEvent) {
        let key = Key("\(event.kind.prefix).duration", event.mark, event.entity)
        let timer = timers.withLock { timers in
            if let known = timers[key] { return known }
            let timer = CoreMetrics.Timer(
                label: key.name, dimensions: key.dimensions, factory: factory ?? MetricsSystem.factory)
            timers[key] = timer
            return timer
        }
        timer.recordNanoseconds(event.duration.wholeNanoseconds)
    }
}

extension ProfileEvent.Kind {
    fileprivate var prefix: String { "coredata.\(rawValue)" }

    /// The name of the counter of all events of the kind.
    fileprivate var total: String {
        switch self {
        case .fetch: "coredata.fetches"
        case .count, .fault, .relationship, .save, .merge, .migration, .statement: "\(prefix)s"
        }
    }
}

extension Duration {
    var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
#endif
