#if SwiftData
import SwiftData
import Synchronization
import Testing

@Model
final class Memo {
    var text: String
    var rank: Int

    init(_ text: String, rank: Int) {
        self.text = text
        self.rank = rank
    }
}

/// A service that numbers its memos, cuts spaces off their texts, and notes what each save did.
final class MemoService: Sendable {
    struct State {
        var memos: [Int: MemoRecord.Content] = [:]
        var last = 0
        var transactions: [MemoTransaction] = []
        /// The contexts that use the service.
        var users: Set<UUID> = []
        var log: [String] = []
    }

    let state = Mutex(State())
}

/// A memo as the service has it.
struct MemoRecord: DataStoreSnapshot {
    struct Content: Equatable, Sendable {
        var text: String
        var rank: Int
    }

    let persistentIdentifier: PersistentIdentifier
    var text: String
    let rank: Int

    init(_ identifier: PersistentIdentifier, _ content: Content) {
        persistentIdentifier = identifier
        (text, rank) = (content.text, content.rank)
    }

    init(
        from backingData: any BackingData,
        relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
    ) {
        let memo = backingData as! any BackingData<Memo>
        persistentIdentifier = memo.persistentModelID!
        text = memo.getValue(forKey: \.text)
        rank = memo.getValue(forKey: \.rank)
    }

    func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> MemoRecord { MemoRecord(persistentIdentifier, content) }

    var content: Content { Content(text: text, rank: rank) }
}

/// What one save did to the service.
struct MemoTransaction: HistoryTransaction {
    struct Token: HistoryToken {
        let number: Int
        static func < (left: Token, right: Token) -> Bool { left.number < right.number }
    }

    let author: String?
    let token: Token
    var bundleIdentifier: String { "" }
    var changes: [HistoryChange] { [] }
    var processIdentifier: String { "" }
    var storeIdentifier: String { "service" }
    var timestamp: Date { Date(timeIntervalSinceReferenceDate: Double(token.number)) }
    var transactionIdentifier: Int64 { Int64(token.number) }
}

struct ServiceConfiguration: DataStoreConfiguration {
    typealias Store = ServiceStore

    var name = "service"
    var schema: Schema?
    let service: MemoService

    static func == (left: Self, right: Self) -> Bool { left.service === right.service }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(service)) }
}

/// A store that has snapshots of its own, applies conditions and orders itself, deletes without snapshots, and
/// keeps a history.
final class ServiceStore: DataStoreBatching, HistoryProviding {
    let configuration: ServiceConfiguration
    let identifier = "service"
    var schema: Schema { configuration.schema! }
    private var service: MemoService { configuration.service }

    init(_ configuration: ServiceConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        self.configuration = configuration
    }

    private func id(_ number: Int) throws -> PersistentIdentifier {
        try .identifier(for: identifier, entityName: "Memo", primaryKey: number)
    }

    private func number(_ id: PersistentIdentifier) -> Int {
        Int(id.description.split(separator: "/").last!.dropFirst())!
    }

    /// Returns the numbers of memos by a condition and an order, which memos in no context meet.
    private func numbers<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Int] {
        let descriptor = try #require(descriptor as? FetchDescriptor<Memo>)
        let memos = service.state.withLock { $0.memos }.sorted { $0.key < $1.key }
            .map { (number: $0.key, memo: Memo($0.value.text, rank: $0.value.rank)) }
        var found = try memos.filter { try descriptor.predicate?.evaluate($0.memo) ?? true }
        for order in descriptor.sortBy.reversed() {
            found.sort { order.compare($0.memo, $1.memo) == .orderedAscending }
        }
        let rest = found.dropFirst(descriptor.fetchOffset ?? 0)
        return rest.prefix(descriptor.fetchLimit ?? .max).map(\.number)
    }

    private func note(_ text: String) { service.state.withLock { $0.log.append(text) } }

    func fetch<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> DataStoreFetchResult<Model, MemoRecord> {
        note("fetch")
        let memos = service.state.withLock { $0.memos }
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: try numbers(request.descriptor).map { MemoRecord(try id($0), memos[$0]!) })
    }

    func fetchCount<Model: PersistentModel>(_ request: DataStoreFetchRequest<Model>) throws -> Int {
        note("count")
        return try numbers(request.descriptor).count
    }

    func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: MemoRecord] {
        let memos = service.state.withLock { $0.memos }
        var found: [PersistentIdentifier: MemoRecord] = [:]
        for id in persistentIdentifiers { found[id] = memos[number(id)].map { MemoRecord(id, $0) } }
        return found
    }

    func save(
        _ request: DataStoreSaveChangesRequest<MemoRecord>
    ) throws -> DataStoreSaveChangesResult<MemoRecord> {
        var permanent: [PersistentIdentifier: PersistentIdentifier] = [:]
        var cut: [PersistentIdentifier: MemoRecord] = [:]
        for record in request.inserted + request.updated {
            var id = record.persistentIdentifier
            if id.storeIdentifier == nil {
                let number = service.state.withLock { state in
                    state.last += 1
                    return state.last
                }
                permanent[id] = try self.id(number)
                id = try self.id(number)
            }
            var content = record.content
            content.text = content.text.trimmingCharacters(in: .whitespaces)
            if content.text != record.text { cut[id] = MemoRecord(id, content) }
            service.state.withLock { [number = number(id), content] in $0.memos[number] = content }
        }
        for record in request.deleted {
            service.state.withLock { [number = number(record.persistentIdentifier)] in $0.memos[number] = nil
            }
        }
        service.state.withLock { [author = request.editingState.author] state in
            let token = MemoTransaction.Token(number: state.transactions.count + 1)
            state.transactions.append(MemoTransaction(author: author, token: token))
        }
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: permanent, snapshotsToReregister: cut)
    }

    func delete<Model: PersistentModel>(_ request: DataStoreBatchDeleteRequest<Model>) throws {
        note("delete")
        let gone = try numbers(FetchDescriptor(predicate: request.predicate))
        service.state.withLock { state in
            for number in gone { state.memos[number] = nil }
        }
    }

    func erase() throws {
        note("erase")
        service.state.withLock { $0.memos = [:] }
    }

    func initializeState(for editingState: EditingState) {
        service.state.withLock { _ = $0.users.insert(editingState.id) }
    }

    func invalidateState(for editingState: EditingState) {
        service.state.withLock { _ = $0.users.remove(editingState.id) }
    }

    func fetchHistory(_ descriptor: HistoryDescriptor<MemoTransaction>) throws -> [MemoTransaction] {
        let all = service.state.withLock { $0.transactions }
        return try all.filter { try descriptor.predicate?.evaluate($0) ?? true }
    }

    func deleteHistory(_ descriptor: HistoryDescriptor<MemoTransaction>) throws {
        service.state.withLock { $0.transactions = [] }
    }
}
#endif
