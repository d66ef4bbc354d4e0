#if Metrics
import CoreData
import Tracing

/// The spans of events, within the current span of the code that caused them.
struct SpanReport: Sendable {
    private let chosen: (any Tracer)?
    private var tracer: any Tracer { chosen ?? InstrumentationSystem.tracer }

    /// - Parameter tracer: The receiver of spans; nil for the current one.
    init(_ tracer: (any Tracer)?) { chosen = tracer }

    /// Runs the work of an event in a span. What the work causes, such as faults in a save, has spans in this one.
    func run(_ kind: ProfileEvent.Kind, _ work: () -> ProfileEvent) -> ProfileEvent {
        // A merge belongs to no request: the context takes over what another one has saved.
        guard kind != .merge else { return work() }
        let span: any Span = tracer.startSpan(kind.rawValue, ofKind: .client)
        defer { span.end() }
        let event = ServiceContext.withValue(span.context, operation: work)
        if let entity = event.entity { span.operationName = "\(kind.rawValue) \(entity)" }
        describe(event, span)
        if kind == .relationship, let name = event.detail {
            span.attributes["coredata.relationship"] = name
        }
        return event
    }

    /// Notes a statement that has ended in the current span, if there is one: others are the framework's own upkeep.
    func noteStatement(_ event: ProfileEvent) {
        guard let context = ServiceContext.current else { return }
        let text = event.detail.flatMap(StatementText.init)
        let verb = event.detail?.split(whereSeparator: \.isWhitespace).first.map(String.init)
        let end = DefaultTracerClock.now
        let duration = UInt64(max(event.duration.wholeNanoseconds, 0))
        let start = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - min(duration, end.nanosecondsSinceEpoch))
        let span: any Span = tracer.startSpan(
            verb ?? "statement", context: context, ofKind: .client, at: start)
        describe(event, span)
        if let text { span.attributes["db.query.text"] = text.shown }
        span.end(at: end)
    }

    /// Returns a function that runs work in the current span; nil if there is none.
    func scope() -> (@Sendable (() -> Void) -> Void)? {
        guard let context = ServiceContext.current else { return nil }
        return { work in ServiceContext.withValue(context, operation: work) }
    }

    private func describe(_ event: ProfileEvent, _ span: any Span) {
        span.attributes.merge(attributes(of: event))
        if event.failure != nil { span.setStatus(SpanStatus(code: .error)) }
    }

    private func attributes(of event: ProfileEvent) -> SpanAttributes {
        var attributes = SpanAttributes()
        attributes["db.operation.name"] = event.kind.rawValue
        attributes["db.system"] = event.mark?.system
        attributes["coredata.store"] = event.mark?.name
        attributes["coredata.entity"] = event.entity
        attributes["coredata.rows"] = event.count
        attributes["error.type"] = event.failureCode
        return attributes
    }
}
#endif
