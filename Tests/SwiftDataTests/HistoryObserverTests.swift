#if SwiftData
import Observation
import SwiftData
import Synchronization
import Testing

@Suite("Counters of what happens in stores")
struct HistoryObserverTests {
    private func save(_ model: some PersistentModel, in container: ModelContainer, by author: String? = nil)
        throws
    {
        let context = ModelContext(container)
        context.author = author
        context.insert(model)
        try context.save()
    }

    @Test("The counter grows with each save of the container's contexts, and readers are notified")
    func saves() throws {
        let container = try memoryContainer(Trip.self)
        try save(Trip(code: "A", name: "Alps"), in: container)
        let observer = HistoryObserver(modelContainer: container, isolation: nil)
        #expect(observer.eventCounter == 0)
        let isTold = Flag()
        withObservationTracking {
            _ = observer.eventCounter
        } onChange: {
            isTold.value.withLock { $0 = true }
        }
        try save(Trip(code: "B", name: "Balkan"), in: container)
        #expect(observer.eventCounter == 1 && isTold.value.withLock { $0 })
        try save(Guide(name: "Ada"), in: try memoryContainer(Trip.self))
        #expect(observer.eventCounter == 1)
    }

    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    @Test("Only changes of given classes and authors count, from a given position on")
    func conditions() throws {
        let container = try memoryContainer(Trip.self)
        let guides = HistoryObserver(
            observedModels: [Guide.self], modelContainer: container, isolation: nil)
        let widgets = HistoryObserver(authors: ["widget"], modelContainer: container, isolation: nil)
        try save(Trip(code: "A", name: "Alps"), in: container, by: "widget")
        #expect(guides.eventCounter == 0 && widgets.eventCounter == 1)
        let history = try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        try save(Guide(name: "Ada"), in: container, by: "app")
        #expect(guides.eventCounter == 1 && widgets.eventCounter == 1)
        let later = HistoryObserver(
            historyTokens: history.map(\.token), observedModels: [Guide.self], modelContainer: container,
            isolation: nil)
        #expect(later.eventCounter == 1)
    }

    @Test("What another container saves to the same file counts, on the actor that asked") @MainActor
    func otherContainers() async throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let container = try store.container(Trip.self)
        let observer = HistoryObserver(modelContainer: container)
        try save(Trip(code: "A", name: "Alps"), in: try store.container(Trip.self))
        while observer.eventCounter == 0 { await Task.yield() }
    }

    @Test("A container posts what itself and others save to its file, and nothing of other files")
    func remoteChanges() async throws {
        let store = try ScratchStore()
        let elsewhere = try ScratchStore()
        defer {
            store.remove()
            elsewhere.remove()
        }
        let container = try store.container(Trip.self)
        let others = [try store.container(Trip.self), try elsewhere.container(Trip.self)]
        let count = Mutex(0)
        let token = NotificationCenter.default.addObserver(
            forName: ModelContainer.remoteChange, object: container, queue: nil
        ) { _ in count.withLock { $0 += 1 } }
        defer { NotificationCenter.default.removeObserver(token) }
        try save(Trip(code: "A", name: "Alps"), in: others[1])
        for (number, saving) in [others[0], container].enumerated() {
            try save(Trip(code: "\(number)", name: "Alps"), in: saving)
            while count.withLock({ $0 }) == number { await Task.yield() }
            #expect(count.withLock { $0 } == number + 1)
        }
    }
}
#endif
