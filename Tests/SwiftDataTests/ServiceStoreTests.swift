#if SwiftData
import CoreData
import SwiftData
import Synchronization
import Testing

@Suite("Stores with snapshots of their own")
struct ServiceStoreTests {
    private let service = MemoService()
    private let container: ModelContainer

    init() throws {
        container = try ModelContainer(for: Memo.self, configurations: ServiceConfiguration(service: service))
        let context = ModelContext(container)
        for (rank, text) in ["Milk", "Eggs", "Rice"].enumerated() { context.insert(Memo(text, rank: rank)) }
        try context.save()
        service.state.withLock { $0.log = [] }
    }

    private var log: [String] { service.state.withLock { $0.log } }

    @Test("A store that applies conditions, orders and ranges itself is asked once for each fetch")
    func own() throws {
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Memo>(
            predicate: #Predicate { $0.rank < 2 }, sortBy: [SortDescriptor(\.text)])
        #expect(try context.fetch(descriptor).map(\.text) == ["Eggs", "Milk"])
        #expect(try context.fetchCount(descriptor) == 2)
        descriptor.fetchLimit = 1
        #expect(try context.fetch(descriptor).map(\.rank) == [1])
        #expect(log == ["fetch", "count", "fetch"])
        // Unsaved changes count, which the store does not know.
        try context.fetch(descriptor)[0].rank = 5
        #expect(try context.fetch(descriptor).map(\.text) == ["Milk"])
    }

    @Test("Numbers that a service gives are keys, in whose order models come")
    func numbers() throws {
        let context = ModelContext(container)
        let ids = try context.fetchIdentifiers(FetchDescriptor<Memo>())
        #expect(ids.map(\.description) == (1...3).map { "x-coredata://service/Memo/p\($0)" })
        #expect((context.model(for: ids[1]) as? Memo)?.text == "Eggs")
        #expect(ids == ids.shuffled().sorted())
    }

    @Test("A model has the values that the store gave it while it was saved")
    func changedBySave() throws {
        let context = ModelContext(container)
        let (old, new) = (try context.fetch(FetchDescriptor<Memo>())[0], Memo("  Salt ", rank: 9))
        let other = ModelContext(container)
        #expect(try other.fetch(FetchDescriptor<Memo>())[0].text == "Milk")
        old.text = " Oat milk"
        context.insert(new)
        try context.save()
        #expect(old.text == "Oat milk" && new.text == "Salt" && !context.hasChanges)
        #expect(try other.fetch(FetchDescriptor<Memo>()).map(\.text) == ["Oat milk", "Eggs", "Rice", "Salt"])
    }

    @Test("Models are deleted by the store itself, and contexts see it")
    func batches() throws {
        let context = ModelContext(container)
        let memos = try context.fetch(FetchDescriptor<Memo>())
        try context.delete(model: Memo.self, where: #Predicate { $0.rank > 0 })
        #expect(log.contains("delete"))
        #expect(memos.map(\.isDeleted) == [false, true, true])
        #expect(service.state.withLock { $0.memos.count } == 1)
        try container.erase()
        #expect(log.last == "erase" || log.contains("erase"))
        #expect(try context.fetchCount(FetchDescriptor<Memo>()) == 0 && memos[0].isDeleted)
    }

    @Test("A history is that of the store, with its own transactions")
    func history() throws {
        let context = ModelContext(container)
        context.author = "import"
        context.insert(Memo("Tea", rank: 4))
        try context.save()
        let all = try context.fetchHistory(HistoryDescriptor<MemoTransaction>())
        #expect(all.map(\.author) == [nil, "import"])
        let first = HistoryDescriptor<MemoTransaction>(predicate: #Predicate { $0.author == "import" })
        #expect(try context.fetchHistory(first).map(\.token.number) == [2])
        try context.deleteHistory(HistoryDescriptor<MemoTransaction>())
        #expect(try context.fetchHistory(HistoryDescriptor<MemoTransaction>()).isEmpty)
    }

    @Test("A store is told which contexts begin and end to use it")
    func states() throws {
        #expect(service.state.withLock { $0.users.isEmpty })
        do {
            let context = ModelContext(container)
            #expect(service.state.withLock { $0.users } == [context.editingState.id])
        }
        #expect(service.state.withLock { $0.users.isEmpty })
    }

    @Test("A model whose row the service does not have reads as empty")
    func gone() throws {
        let context = ModelContext(container)
        let id = try PersistentIdentifier.identifier(for: "service", entityName: "Memo", primaryKey: 4)
        let memo = try #require(context.model(for: id) as? Memo)
        #expect(memo.text == "")
    }

    @Test("A store of an app's own keeps its models in one of Core Data, and adds something to it")
    func wrapped() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let configuration = LoggedConfiguration(url: store.url)
        let container = try ModelContainer(for: Trip.self, configurations: configuration)
        let context = ModelContext(container)
        let trip = Trip(code: "A", name: "Alps", guide: Guide(name: "Ada"))
        trip.stays = [Stay("Bern", nights: 2)]
        context.insert(trip)
        try context.save()
        trip.seats = 9
        try context.save()
        let found = try ModelContext(container).fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.guide?.name == "Ada" }))
        #expect(found.map(\.seats) == [9] && found[0].stays.map(\.town) == ["Bern"])
        #expect(configuration.log.state.withLock { $0.log } == ["saved 3 0 0", "saved 0 1 0"])
        // It is a file like any other.
        let plain = ModelContext(try store.container(Trip.self))
        #expect(try plain.fetch(FetchDescriptor<Trip>()).map(\.guide?.name) == ["Ada"])
        let id = trip.persistentModelID
        #expect((plain.model(for: id) as? Trip)?.code == "A")
    }
}

struct LoggedConfiguration: DataStoreConfiguration {
    typealias Store = LoggedStore

    var name = "logged"
    var schema: Schema?
    let url: URL
    let log = MemoService()

    static func == (left: Self, right: Self) -> Bool { left.url == right.url }
    func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

/// A store that notes what is saved to one of Core Data.
final class LoggedStore: DataStore {
    typealias Snapshot = DefaultSnapshot

    let configuration: LoggedConfiguration
    private let store: DefaultStore
    var identifier: String { store.identifier }
    var schema: Schema { store.schema }

    init(_ configuration: LoggedConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
        store = try DefaultStore(
            ModelConfiguration(schema: configuration.schema, url: configuration.url),
            migrationPlan: migrationPlan)
    }

    func fetch<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> DataStoreFetchResult<Model, DefaultSnapshot> { try store.fetch(request) }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let result = try store.save(request)
        let counts = [request.inserted, request.updated, request.deleted].map { "\($0.count)" }
        configuration.log.state.withLock { $0.log.append("saved " + counts.joined(separator: " ")) }
        return result
    }
}
#endif
