#if Metrics
import CoreData
import CoreDataMetrics
import Foundation
import MetricsTestKit
import Testing
import Tracing

extension MonitorTests {
    @Suite("Metrics of a store")
    @MainActor
    struct MetricTests {
        private let store: MonitoredStore

        init() throws { store = try MonitoredStore() }

        @Test("A fetch and a count are counted and timed by store and entity, with the rows that came")
        func fetching() throws {
            try store.monitored {
                _ = try store.context.fetch(Library.request())
                _ = try store.context.count(for: Library.request())
            }
            #expect(store.total("coredata.fetches", "Book") == 1)
            #expect(store.total("coredata.counts", "Book") == 1)
            #expect(store.total("coredata.rows.read", "Book") == 3)
            #expect(store.times("coredata.fetch.duration", "Book").count == 1)
            #expect(store.times("coredata.count.duration", "Book").count == 1)
            #expect(store.times("coredata.fetch.duration", "Book").allSatisfy { $0 > 0 })
            #expect(
                store.total("coredata.statements") == Int64(store.times("coredata.statement.duration").count))
            #expect(store.total("coredata.statements") >= 2)
            #expect(store.total("coredata.fetch.failures", "Book") == 0)
        }

        @Test("An object that is read when it is used is a miss, and one that the row cache has a hit")
        func faulting() throws {
            func readAll() throws -> [NSManagedObject] {
                let context = store.sibling(.mainQueueConcurrencyType)
                let books = try context.fetch(Library.faults())
                for book in books { _ = book.value(forKey: "title") }
                return withExtendedLifetime(context) { books }
            }
            try store.monitored {
                let holders = try readAll()
                #expect(store.total("coredata.fault.misses", "Book") == 3)
                #expect(store.total("coredata.fault.hits", "Book") == 0)
                #expect(store.times("coredata.fault.duration", "Book").count == 3)
                #expect(store.total("coredata.rows.read", "Book") == 6)
                _ = try readAll()
                withExtendedLifetime(holders) {}
            }
            #expect(store.total("coredata.fault.misses", "Book") == 3)
            #expect(store.total("coredata.fault.hits", "Book") == 3)
        }

        @Test("A save is counted with the rows that it wrote; one that fails is a failure, too")
        func saving() throws {
            let books = try store.context.fetch(Library.request())
            try store.monitored {
                books[0].setValue("changed", forKey: "title")
                store.context.delete(books[1])
                try store.context.save()
                books[0].setValue(nil, forKey: "title")
                #expect(throws: (any Error).self) { try store.context.save() }
            }
            #expect(store.total("coredata.saves") == 2)
            #expect(store.total("coredata.save.failures") == 1)
            #expect(store.total("coredata.rows.written") == 2)
            #expect(store.times("coredata.save.duration").count == 2)
        }

        @Test("A merge of another context's save is counted")
        func merging() throws {
            let writer = store.sibling(.mainQueueConcurrencyType)
            let book = try #require(try writer.fetch(Library.request()).first)
            nonisolated(unsafe) var saved: Notification?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: writer, queue: nil
            ) { saved = $0 }
            defer { NotificationCenter.default.removeObserver(token) }
            book.setValue("changed", forKey: "title")
            try writer.save()
            let notification = try #require(saved)
            store.monitored { store.context.mergeChanges(fromContextDidSave: notification) }
            #expect(store.total("coredata.merges") == 1)
            #expect(store.times("coredata.merge.duration").count == 1)
        }

        @Test("A migration is counted, by the store that it is of")
        func migrating() throws {
            let present = try #require(store.coordinator.persistentStores.first)
            try store.coordinator.remove(present)
            let newer = NSPersistentStoreCoordinator(managedObjectModel: Library.model(hasPages: true))
            try store.monitored {
                _ = try newer.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: store.url,
                    options: [
                        NSMigratePersistentStoresAutomaticallyOption: true,
                        NSInferMappingModelAutomaticallyOption: true,
                    ])
            }
            #expect(store.total("coredata.migrations") == 1)
            #expect(store.times("coredata.migration.duration").count == 1)
            let span = try #require(store.span("migration"))
            #expect(span["db.system"] == .string("sqlite"))
        }

        @Test("A store in memory has the name of its type")
        func inMemory() throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model())
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let stores = try store.monitored {
                _ = try context.fetch(Library.request())
                return store.metrics.counters.filter { $0.label == "coredata.fetches" }.flatMap(\.dimensions)
            }
            #expect(stores.contains { $0 == ("store", NSInMemoryStoreType) })
        }

        @Test("Nothing is reported before a monitor starts, and nothing after it stops")
        func stopping() throws {
            try useStore()
            let monitor = CoreDataMonitor.start(metrics: store.metrics, tracer: store.tracer)
            monitor.stop()
            try useStore()
            let dimensions =
                store.metrics.counters.flatMap(\.dimensions) + store.metrics.timers.flatMap(\.dimensions)
            #expect(!dimensions.contains { $0.1 == store.name })
            #expect(store.spans.isEmpty)
            try store.monitored { try useStore() }
            #expect(store.total("coredata.fetches", "Book") == 1)
        }

        private func useStore() throws {
            let context = store.sibling(.mainQueueConcurrencyType)
            for book in try context.fetch(Library.faults()) { book.setValue("used", forKey: "title") }
            try context.save()
        }
    }
}
#endif
