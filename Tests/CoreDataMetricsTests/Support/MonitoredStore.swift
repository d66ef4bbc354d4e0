#if Metrics
import CoreData
import CoreDataMetrics
import CoreMetrics
import Foundation
import InMemoryTracing
import MetricsTestKit
import Tracing

/// A store with three books, and what is reported of it while a monitor runs; tests of other suites run beside it.
@MainActor
final class MonitoredStore {
    let name = "\(UUID().uuidString).sqlite"
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model())
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    let metrics = TestMetrics()
    let tracer = InMemoryTracer()

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var url: URL { folder.appendingPathComponent(name) }

    /// - Parameter title: The beginning of the books' titles.
    init(title: String = "book") throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        context.persistentStoreCoordinator = coordinator
        for number in 0..<3 {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("\(title) \(number)", forKey: "title")
        }
        try context.save()
        // Nothing holds the rows, so that faults read them.
        context.reset()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func sibling(_ type: NSManagedObjectContextConcurrencyType) -> NSManagedObjectContext {
        let sibling = NSManagedObjectContext(concurrencyType: type)
        sibling.persistentStoreCoordinator = coordinator
        return sibling
    }

    @discardableResult
    func monitored<Result>(_ body: () throws -> Result) rethrows -> Result {
        let monitor = CoreDataMonitor.start(metrics: metrics, tracer: tracer)
        defer { monitor.stop() }
        return try body()
    }

    /// Returns how often the monitor counted for this store, by the name of an entity.
    func total(_ label: String, _ entity: String = "") -> Int64 {
        metrics.counters.filter { $0.label == label && isOurs($0.dimensions, entity) }
            .reduce(0) { $0 + $1.totalValue }
    }

    /// Returns the times that the monitor took for this store, in nanoseconds.
    func times(_ label: String, _ entity: String = "") -> [Int64] {
        metrics.timers.filter { $0.label == label && isOurs($0.dimensions, entity) }.flatMap(\.values)
    }

    private func isOurs(_ dimensions: [(String, String)], _ entity: String) -> Bool {
        dimensions.map(\.0) == ["store", "entity"] && dimensions.map(\.1) == [name, entity]
    }

    /// The spans of this store, in the order in which they ended.
    var spans: [FinishedInMemorySpan] {
        tracer.finishedSpans.filter { $0["coredata.store"] == .string(name) }
    }

    func span(_ name: String) -> FinishedInMemorySpan? { spans.first { $0.operationName == name } }
}

extension FinishedInMemorySpan {
    subscript(name: String) -> SpanAttribute? { attributes.get(name) }
}

enum Library {
    /// - Parameter hasPages: Whether it is the second version of the model.
    static func model(hasPages: Bool = false) -> NSManagedObjectModel {
        let title = NSAttributeDescription()
        (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, false)
        let pages = NSAttributeDescription()
        (pages.name, pages.attributeType, pages.isOptional) = ("pages", .integer32AttributeType, true)
        let book = NSEntityDescription()
        (book.name, book.properties) = ("Book", hasPages ? [title, pages] : [title])
        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }

    static func request() -> NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Book") }

    /// Returns a request whose objects are faults that read their rows when they are used.
    static func faults() -> NSFetchRequest<NSManagedObject> {
        let request = request()
        request.includesPropertyValues = false
        return request
    }
}
#endif
