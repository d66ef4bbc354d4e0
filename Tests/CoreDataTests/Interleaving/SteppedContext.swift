import CoreDataStore
import CoreDataValues
import Foundation

@testable import CoreData

/// A context whose blocks run when an interleaving has it so.
final class SteppedContext: NSManagedObjectContext, @unchecked Sendable {
    private let interleaving: Interleaving
    private let line: Interleaving.Queue
    private let turns: MergeTurns
    /// Called on the queue at the end of each block that was not run from inside another one.
    var didRun: () -> Void = {}
    /// The task of a block that the framework has the context perform.
    var taskOfBlock: () -> AnyObject? = { nil }
    /// Merges, and does on the queue what goes with it.
    var merging: (Notification, _ merge: () -> Void) -> Void = { $1() }

    /// - Parameter turns: What its merges wait for, if it is not nested.
    init(_ interleaving: Interleaving, _ turns: MergeTurns, _ name: String) {
        self.interleaving = interleaving
        self.turns = turns
        line = Interleaving.Queue(name)
        super.init(concurrencyType: .privateQueueConcurrencyType)
        self.name = name
    }

    override func performAndWait(_ block: () -> Void) {
        if queue.isCurrent { return super.performAndWait(block) }
        interleaving.enter(line)
        run(block)
        interleaving.leave(line)
    }

    override func perform(_ block: @escaping () -> Void) {
        perform(as: taskOfBlock(), block)
    }

    func perform(as task: AnyObject?, _ block: @escaping () -> Void) {
        interleaving.enqueue("block of \(line.name)", on: line, task: task) { [self] in run(block) }
    }

    override func inbox(waitingFor turns: MergeTurns?) -> MergeInbox {
        super.inbox(waitingFor: turns == nil ? nil : self.turns)
    }

    override func enqueueMerge(from inbox: MergeInbox) {
        interleaving.enqueue("merge of \(line.name)", on: line, task: taskOfBlock()) { [self] in
            inbox.merge()
            queue.sync(of: self, didRun)
        }
    }

    override func mergeChanges(fromContextDidSave notification: Notification) {
        merging(notification) { super.mergeChanges(fromContextDidSave: notification) }
    }

    private func run(_ block: () -> Void) {
        super.performAndWait(block)
        queue.sync(of: self, didRun)
    }
}

/// A store in memory that an interleaving's threads hand over at, before and after each use.
final class SteppedStore: NSPersistentStore, @unchecked Sendable {
    private static let storeType = "SteppedStore"
    private static let interleavingOption = "interleaving"
    private static let registration: Void = NSPersistentStoreCoordinator.registerStoreClass(
        SteppedStore.self, forStoreType: storeType)

    static func added(
        to coordinator: NSPersistentStoreCoordinator, _ interleaving: Interleaving
    ) throws -> SteppedStore {
        _ = registration
        let store = try coordinator.addPersistentStore(
            ofType: storeType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"),
            options: [interleavingOption: interleaving])
        return store as! SteppedStore
    }

    /// Called between a commit and the step that follows it, with what came of it.
    var didCommit: (ChangeSet, StoreError?) -> Void = { _, _ in }

    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        let store = MemoryStore(
            _adding: nil, configurationName: nil, at: url ?? URL(fileURLWithPath: "/dev/null"), options: nil)
        let backend = try store.open(model, entities)
        metadata = store.metadata
        identifier = store.identifier
        return SteppedBackend(
            backend, options?[Self.interleavingOption] as! Interleaving,
            didCommit: { [unowned self] in didCommit($0, $1) })
    }
}

/// Steps before and after what a store does.
final class SteppedBackend: GenerationBackend, @unchecked Sendable {
    private let backend: any StoreBackend
    private let interleaving: Interleaving
    private let didCommit: (ChangeSet, StoreError?) -> Void

    init(
        _ backend: any StoreBackend, _ interleaving: Interleaving,
        didCommit: @escaping (ChangeSet, StoreError?) -> Void
    ) {
        self.backend = backend
        self.interleaving = interleaving
        self.didCommit = didCommit
    }

    private func stepping<Answer>(_ body: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        interleaving.step()
        defer { interleaving.step() }
        return try body()
    }

    func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult {
        try stepping { () throws(StoreError) in try backend.fetch(query) }
    }

    func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit { try backend.split(query) }

    func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot? {
        try stepping { () throws(StoreError) in try backend.snapshot(for: row) }
    }

    func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot] {
        try stepping { () throws(StoreError) in try backend.snapshots(for: rows) }
    }

    func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference] {
        try stepping { () throws(StoreError) in try backend.related(slot, of: row) }
    }

    func related(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> [Int64: [ObjectReference]] {
        try stepping { () throws(StoreError) in try backend.related(slot, ofEach: rows) }
    }

    func relatedRows(_ slot: Int, ofEach rows: [ObjectReference]) throws(StoreError) -> RelatedRows? {
        try stepping { () throws(StoreError) in try backend.relatedRows(slot, ofEach: rows) }
    }

    func allocateKeys(
        _ count: [EntityIndex: Int]
    ) throws(StoreError) -> [EntityIndex: [ObjectReference]] {
        try stepping { () throws(StoreError) in try backend.allocateKeys(count) }
    }

    func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        try stepping { () throws(StoreError) in
            do throws(StoreError) {
                let receipt = try backend.commit(changes)
                didCommit(changes, nil)
                return receipt
            } catch {
                didCommit(changes, error)
                throw error
            }
        }
    }

    func expireReads() { backend.expireReads() }
    func close() { backend.close() }

    func requireGenerations() throws(StoreError) {
        try (backend as? any GenerationBackend)?.requireGenerations()
    }

    func pinned() throws(StoreError) -> any StoreBackend {
        let pinned = try (backend as? any GenerationBackend)?.pinned() ?? backend
        return SteppedBackend(pinned, interleaving, didCommit: didCommit)
    }
}
