#if SwiftData
import SwiftData
import Synchronization
import Testing

@Suite("Contexts that save by themselves")
@MainActor
struct AutosaveTests {
    /// The saves that contexts have scheduled, to be run when a test says so.
    private final class Timer {
        var saves: [@Sendable () -> Void] = []

        func start(_ context: ModelContext) {
            context.setAutosaveTimer { [self] in saves.append($0) }
        }

        func run() {
            let due = saves
            saves = []
            for save in due { save() }
        }
    }

    private func count(_ container: ModelContainer) throws -> Int {
        try ModelContext(container).fetchCount(FetchDescriptor<Trip>())
    }

    @Test("The main context schedules one save for all changes, and later changes another")
    func coalescing() throws {
        let container = try memoryContainer(Trip.self)
        let (context, timer) = (container.mainContext, Timer())
        #expect(context.autosaveEnabled)
        timer.start(context)
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        context.insert(Trip(code: "B", name: "Balkan"))
        #expect(timer.saves.count == 1 && context.hasChanges)
        #expect(try count(container) == 0)
        timer.run()
        #expect(try count(container) == 2 && !context.hasChanges && timer.saves.isEmpty)
        trip.name = "Andes"
        trip.seats = 9
        #expect(timer.saves.count == 1)
        timer.run()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).contains { $0.name == "Andes" })
        context.delete(trip)
        timer.run()
        #expect(try count(container) == 1 && trip.isDeleted)
    }

    @Test("What is saved or taken back before leaves nothing for the scheduled save")
    func nothingLeft() throws {
        let container = try memoryContainer(Trip.self)
        let (context, timer) = (container.mainContext, Timer())
        timer.start(context)
        let saves = SaveCounter(of: context)
        context.insert(Trip(code: "A", name: "Alps"))
        context.rollback()
        timer.run()
        #expect(try count(container) == 0 && saves.count == 0)
        context.insert(Trip(code: "B", name: "Balkan"))
        try context.save()
        timer.run()
        #expect(try count(container) == 1 && saves.count == 1)
    }

    @Test("A save that fails keeps the changes, and the next change schedules another")
    func failure() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let first = try store.container(Trip.self)
        _ = try count(first)
        let container = try ModelContainer(
            for: Trip.self, configurations: ModelConfiguration(url: store.url, allowsSave: false))
        let (context, timer) = (container.mainContext, Timer())
        timer.start(context)
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        timer.run()
        #expect(context.hasChanges && timer.saves.isEmpty)
        trip.name = "Andes"
        #expect(timer.saves.count == 1)
        timer.run()
        #expect(context.hasChanges && trip.name == "Andes")
        context.rollback()
    }

    @Test("A context that does not save by itself leaves changes alone until it is told to")
    func switching() throws {
        let container = try memoryContainer(Trip.self)
        let (context, timer) = (container.mainContext, Timer())
        timer.start(context)
        context.autosaveEnabled = false
        context.insert(Trip(code: "A", name: "Alps"))
        #expect(timer.saves.isEmpty)
        context.autosaveEnabled = true
        #expect(timer.saves.count == 1)
        context.autosaveEnabled = false
        timer.run()
        #expect(try count(container) == 0 && context.hasChanges)
    }

    @Test("The main context saves when the main queue has run what changed it")
    func mainQueue() async throws {
        let container = try memoryContainer(Trip.self)
        container.mainContext.insert(Trip(code: "A", name: "Alps"))
        while container.mainContext.hasChanges { await Task.yield() }
        #expect(try count(container) == 1)
    }

    @Test("The context of an actor saves by itself if it is asked to")
    func actors() async throws {
        let container = try memoryContainer(Trip.self)
        let store = SavingStore(modelContainer: container)
        await store.insert("A")
        while try count(container) == 0 { await Task.yield() }
        #expect(await store.hasChanges() == false)
    }

    @Test("A context of the caller's own saves in processPendingChanges and when it is freed")
    func ownContext() throws {
        let container = try memoryContainer(Trip.self)
        let kept = Trip(code: "B", name: "Balkan")
        do {
            let context = ModelContext(container)
            #expect(!context.autosaveEnabled)
            context.autosaveEnabled = true
            context.insert(Trip(code: "A", name: "Alps"))
            #expect(try count(container) == 0)
            context.processPendingChanges()
            #expect(try count(container) == 1)
            context.insert(kept)
        }
        #expect(try count(container) == 2 && kept.name == "Balkan")
    }

    @Test("The end of a program saves the main context, also if nothing has run its queue")
    func exit() async throws {
        let process = getpid()
        await #expect(processExitsWith: .success) {
            let container = try await Self.exitContainer(of: getppid())
            await MainActor.run {
                container.mainContext.insert(Trip(code: "A", name: "Alps"))
                Foundation.exit(0)
            }
        }
        let container = try Self.exitContainer(of: process)
        defer { try? FileManager.default.removeItem(at: Self.exitStore(of: process)) }
        #expect(try count(container) == 1)
    }

    private static func exitStore(of process: Int32) -> URL {
        URL.temporaryDirectory.appending(path: "SwiftData-exit-\(process)")
    }

    private static func exitContainer(of process: Int32) throws -> ModelContainer {
        try ModelContainer(
            for: Trip.self,
            configurations: ModelConfiguration(url: exitStore(of: process).appending(path: "default.store")))
    }
}

@ModelActor
private actor SavingStore {
    func insert(_ code: String) {
        modelContext.autosaveEnabled = true
        modelContext.insert(Trip(code: code, name: "Trip"))
    }

    func hasChanges() -> Bool { modelContext.hasChanges }
}

/// The count of a context's saves, as its notifications tell.
private final class SaveCounter {
    private let counted = Counted()
    private let observer: any NSObjectProtocol

    init(of context: ModelContext) {
        observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { [counted] _ in counted.count.withLock { $0 += 1 } }
    }

    deinit { NotificationCenter.default.removeObserver(observer) }

    var count: Int { counted.count.withLock { $0 } }

    private final class Counted: Sendable {
        let count = Mutex(0)
    }
}
#endif
