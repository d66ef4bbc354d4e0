#if SwiftData
import Observation
import SwiftData
import Synchronization
import Testing

@Suite("Results that follow their context")
struct ResultsObserverTests {
    private let container: ModelContainer
    private let context: ModelContext
    private let byCode = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])

    init() throws {
        container = try memoryContainer(Trip.self)
        context = ModelContext(container)
        for code in ["A", "C"] { context.insert(Trip(code: code, name: "Trip \(code)")) }
        try context.save()
    }

    private func codes<Title>(_ observer: ResultsObserver<Trip, Title>) -> [String] {
        observer.results.map(\.code)
    }

    /// Returns whether a reader of the results is notified while a block runs.
    private func isTold(_ observer: ResultsObserver<Trip, Never>, of change: () throws -> Void) rethrows
        -> Bool
    {
        let isTold = Flag()
        withObservationTracking {
            _ = observer.results
        } onChange: {
            isTold.value.withLock { $0 = true }
        }
        try change()
        return isTold.value.withLock { $0 }
    }

    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    @Test("Insertions, changes and deletions of the context are in the results, and readers are notified")
    func following() throws {
        let observer = ResultsObserver(fetchDescriptor: byCode, modelContext: context)
        #expect(codes(observer) == ["A", "C"])
        let trip = Trip(code: "B", name: "Trip B")
        #expect(
            isTold(observer) {
                context.insert(trip)
                context.processPendingChanges()
            })
        #expect(codes(observer) == ["A", "B", "C"] && observer.results[1] === trip)
        #expect(
            isTold(observer) {
                trip.code = "D"
                context.processPendingChanges()
            })
        #expect(codes(observer) == ["A", "C", "D"])
        try context.save()
        #expect(
            isTold(observer) {
                context.delete(trip)
                context.processPendingChanges()
            })
        #expect(codes(observer) == ["A", "C"])
        #expect(
            !isTold(observer) {
                context.insert(Guide(name: "Ada"))
                context.processPendingChanges()
            })
    }

    @Test("What another context saves is in the results once it is taken over")
    func merging() throws {
        let observer = ResultsObserver(fetchDescriptor: byCode, modelContext: context)
        let other = ModelContext(container)
        other.insert(Trip(code: "B", name: "Trip B"))
        other.delete(try #require(try other.fetch(byCode).first))
        try other.save()
        #expect(isTold(observer) { context.processPendingChanges() })
        #expect(codes(observer) == ["B", "C"])
        try other.delete(model: Trip.self)
        context.processPendingChanges()
        #expect(observer.results.isEmpty)
    }

    @Test("Another condition or order fetches anew")
    func descriptor() {
        let observer = ResultsObserver(
            filterBy: #Predicate<Trip> { $0.code == "A" }, sortBy: [SortDescriptor(\.code)],
            modelContext: context)
        #expect(codes(observer) == ["A"])
        #expect(isTold(observer) { observer.filterBy = nil })
        observer.sortBy = [SortDescriptor(\.code, order: .reverse)]
        #expect(codes(observer) == ["C", "A"])
        observer.fetchDescriptor.fetchLimit = 1
        #expect(codes(observer) == ["C"])
    }

    @Test("Sections have the models with the same title, in the order of the results")
    func sections() throws {
        let observer = ResultsObserver(fetchDescriptor: byCode, sectionBy: \.seats, modelContext: context)
        context.insert(Trip(code: "B", name: "Trip B"))
        try context.fetch(byCode)[1].seats = 9
        context.processPendingChanges()
        #expect(observer.sections.map(\.title) == [4, 9])
        #expect(observer.sections.map { $0.elements.map(\.code) } == [["A", "C"], ["B"]])
    }

    @Test("A fetch that fails leaves no results, and says why")
    func failure() {
        let observer = ResultsObserver(
            filterBy: #Predicate<Trip> { $0.title == "A" }, modelContext: context)
        #expect(observer.results.isEmpty && observer.fetchError is SwiftDataError)
        observer.filterBy = nil
        #expect(observer.results.count == 2 && observer.fetchError == nil)
    }

    @Test("In the main context, what other contexts save arrives by itself") @MainActor
    func mainContext() async throws {
        let observer = ResultsObserver(fetchDescriptor: byCode, modelContainer: container)
        #expect(codes(observer) == ["A", "C"])
        context.insert(Trip(code: "B", name: "Trip B"))
        try context.save()
        while codes(observer) != ["A", "B", "C"] { await Task.yield() }
    }
}
#endif
