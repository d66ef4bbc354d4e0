#if Metrics
import CoreData
public import CoreMetrics
public import Tracing

/// The reporting of what the framework does to swift-metrics and swift-distributed-tracing.
///
/// A program starts it when it has set up these libraries, and before it loads its stores:
///
///     CoreDataMonitor.start()
///
/// From then on fetches, faults, saves, merges, migrations and statements of the whole process are counted and
/// timed, by store and by entity, and are spans in the current span of the code that asked for them. The values
/// of objects, of predicates and of statements are never reported, nor are the texts of errors.
public struct CoreDataMonitor: Sendable {
    private let listener: Profiling.Listener

    /// Begins to report. Each monitor reports everything: a program starts one.
    ///
    /// - Parameters:
    ///   - metrics: The receiver of metrics; nil for the one that the program has set up for all libraries.
    ///   - tracer: The receiver of spans; nil for the one that is current where an event begins.
    @discardableResult
    public static func start(
        metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil
    ) -> CoreDataMonitor {
        let reporter = Reporter(metrics: MetricReport(metrics), spans: SpanReport(tracer))
        return CoreDataMonitor(listener: Profiling.listen(reporter))
    }

    /// Ends the reporting. Events that have begun may still be reported.
    public func stop() { listener.stop() }
}

/// The receiver of the framework's events, which hands them to both reports.
private struct Reporter: ScopingSink {
    let metrics: MetricReport
    let spans: SpanReport

    var wantsDetails: Bool { false }

    func note(_ event: ProfileEvent) {
        metrics.note(event)
        if event.kind == .statement { spans.noteStatement(event) }
    }

    func noteCacheHit(entity: String, store: StoreMark?) {
        metrics.noteCacheHit(entity: entity, store: store)
    }

    func run(_ kind: ProfileEvent.Kind, _ work: () -> ProfileEvent) -> ProfileEvent { spans.run(kind, work) }

    func scope() -> (@Sendable (() -> Void) -> Void)? { spans.scope() }
}
#endif
