#if Metrics
import CoreData
import CoreDataMetrics
import Foundation
import InMemoryTracing
import Testing
import Tracing

extension MonitorTests {
    @Suite("Spans of a store")
    @MainActor
    struct SpanTests {
        private let store: MonitoredStore

        init() throws { store = try MonitoredStore() }

        @Test("A fetch is a span in the current one, and its statements are spans in it")
        func fetching() throws {
            let request = try store.monitored {
                try store.tracer.withSpan("request") { span in
                    _ = try store.context.fetch(Library.request())
                    return span.spanID
                }
            }
            let fetch = try #require(store.span("fetch Book"))
            #expect(fetch.parentSpanID == request)
            #expect(fetch.kind == .client)
            #expect(fetch["db.system"] == .string("sqlite"))
            #expect(fetch["db.operation.name"] == .string("fetch"))
            #expect(fetch["coredata.entity"] == .string("Book"))
            #expect(fetch["coredata.rows"] == .int64(3))
            let statement = try #require(store.span("SELECT"))
            #expect(statement.parentSpanID == fetch.spanID)
            #expect(statement["db.query.text"] == nil || "\(statement.attributes)".contains("?"))
            #expect(
                statement.startInstant.nanosecondsSinceEpoch <= statement.endInstant.nanosecondsSinceEpoch)
        }

        @Test("Without a current span an event begins a trace, and no statement stands alone")
        func traces() throws {
            try store.monitored { _ = try store.context.fetch(Library.request()) }
            let fetch = try #require(store.span("fetch Book"))
            #expect(fetch.parentSpanID == nil)
            let others = store.spans.filter { $0.spanID != fetch.spanID }
            #expect(!others.isEmpty)
            #expect(others.allSatisfy { $0.parentSpanID == fetch.spanID })
        }

        @Test("A fault is a span in the current one, for each object that is read")
        func faulting() throws {
            let request = try store.monitored {
                try store.tracer.withSpan("request") { span in
                    for book in try store.context.fetch(Library.faults()) { _ = book.value(forKey: "title") }
                    return span.spanID
                }
            }
            let faults = store.spans.filter { $0.operationName == "fault Book" }
            #expect(faults.count == 3)
            #expect(faults.allSatisfy { $0.parentSpanID == request && $0["coredata.rows"] == .int64(1) })
        }

        @Test("What a save causes is in its span")
        func saving() throws {
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: store.context, queue: nil
            ) { notification in
                _ = try? (notification.object as? NSManagedObjectContext)?.fetch(Library.request())
            }
            defer { NotificationCenter.default.removeObserver(token) }
            let book = try #require(try store.context.fetch(Library.request()).first)
            book.setValue("changed", forKey: "title")
            try store.monitored { try store.context.save() }
            let save = try #require(store.span("save"))
            #expect(save.parentSpanID == nil)
            #expect(save["coredata.rows"] == .int64(1))
            #expect(store.span("fetch Book")?.parentSpanID == save.spanID)
            #expect(store.span("UPDATE")?.parentSpanID == save.spanID)
        }

        @Test("A save that fails is a span with the error's domain and code, and without its text")
        func failing() throws {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: store.context)
            store.monitored {
                #expect(throws: (any Error).self) { try store.context.save() }
            }
            let save = try #require(store.span("save"))
            #expect(save.status?.code == .error)
            #expect(save.status?.message == nil)
            #expect(save.errors.isEmpty)
            let code = "\(NSCocoaErrorDomain) \(NSValidationMissingMandatoryPropertyError)"
            #expect(save["error.type"] == .string(code))
        }

        @Test(
            "A block on a context's queue is in the span of the code that passed it",
            arguments: Passing.allCases)
        func queues(_ passing: Passing) async throws {
            let context = store.sibling(.privateQueueConcurrencyType)
            let monitor = CoreDataMonitor.start(metrics: store.metrics, tracer: store.tracer)
            defer { monitor.stop() }
            let request = try await store.tracer.withSpan("request") { span in
                try await passing.fetch(in: context)
                return span.spanID
            }
            #expect(store.span("fetch Book")?.parentSpanID == request)
            #expect(ServiceContext.current == nil)
            // The queue does not keep the span.
            store.tracer.clearFinishedSpans()
            try await passing.fetch(in: context)
            let later = try #require(store.span("fetch Book"))
            #expect(later.parentSpanID == nil)
        }

        enum Passing: CaseIterable {
            case awaiting, waiting, later

            @MainActor
            func fetch(in context: NSManagedObjectContext) async throws {
                switch self {
                case .awaiting: _ = try await context.perform { try context.fetch(Library.request()).count }
                case .waiting: _ = try context.performAndWait { try context.fetch(Library.request()).count }
                case .later:
                    await withCheckedContinuation { continuation in
                        context.perform {
                            _ = try? context.fetch(Library.request())
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }
}
#endif
