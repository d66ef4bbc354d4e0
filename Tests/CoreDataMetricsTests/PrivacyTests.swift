#if Metrics
import CoreData
import CoreDataMetrics
import Foundation
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing

extension MonitorTests {
    @Suite("What reports of a store do not tell")
    @MainActor
    struct PrivacyTests {
        private static let secret = "xyzzy"

        @Test("No value of an object, a predicate or a statement is reported, nor the text of an error")
        func values() throws {
            let store = try MonitoredStore(title: Self.secret)
            try store.monitored {
                try store.tracer.withSpan("request") { _ in
                    let request = Library.request()
                    request.predicate = NSPredicate(
                        format: "title BEGINSWITH %@ AND title != 'xyzzy it\\'s'", Self.secret)
                    let books = try store.context.fetch(request)
                    #expect(books.count == 3)
                    books[0].setValue("\(Self.secret) changed", forKey: "title")
                    try store.context.save()
                    books[1].setValue(nil, forKey: "title")
                    #expect(throws: (any Error).self) { try store.context.save() }
                }
            }
            let spans = store.spans.map { span in
                var text = "\(span.operationName) \(span.status?.message ?? "") \(span.errors) \(span.events)"
                span.attributes.forEach { text += " \($0)=\($1)" }
                return text
            }
            let dimensions =
                store.metrics.counters.map { "\($0.label) \($0.dimensions)" }
                + store.metrics.timers.map { "\($0.label) \($0.dimensions)" }
            #expect(spans.contains { $0.contains("SELECT") && $0.contains("?") })
            #expect(spans.contains { $0.contains("UPDATE") && $0.contains("?") })
            #expect(dimensions.contains { $0.contains(store.name) })
            #expect(!(spans + dimensions).contains { $0.contains(Self.secret) })
        }

        @Test(
            "The text of a statement has no quoted texts, and is left out if it has no placeholder",
            arguments: [
                ("SELECT a FROM t WHERE b = ?", "SELECT a FROM t WHERE b = ?"),
                ("UPDATE t SET a = 'it''s' WHERE b = ?", "UPDATE t SET a = ?? WHERE b = ?"),
                ("SELECT '' , ? , 'x'", "SELECT ? , ? , ?"), ("CREATE TABLE t (a DEFAULT 'x')", nil),
                ("BEGIN", nil),
            ])
        func statements(_ sql: String, _ shown: String?) {
            #expect(StatementText(sql)?.shown == shown)
        }
    }
}
#endif
