public import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// Keeps a store equal with those of other devices, by a server.
///
/// Edits are found in the store's persistent history, whoever makes them, and what other devices have done
/// comes as saves of a context with an author of its own. The app's contexts see these as saves of another
/// context. The ledger, a second store beside the app's, keeps what is known of the server. One synchronizer
/// at a time has it open.
///
/// The store needs the option `NSPersistentHistoryTrackingKey`. With
/// `NSPersistentStoreRemoteChangeNotificationPostOptionKey` it notices edits of other processes at once.
public actor StoreSynchronizer {
    let access: StoreAccess
    private let binding: ModelBinding
    let options: SyncOptions
    private let ledgerURL: URL
    private let board = Board<SyncStatus>(.stopped(reason: nil))
    private let issueBoard = Board<SyncIssues>()
    private let roleBoard = Board<SyncRole>()
    private var loop: SyncLoop?
    private var task: Task<Void, Never>?
    private var observers: [any NSObjectProtocol] = []

    /// Makes a synchronizer, which does nothing until it is started.
    ///
    /// - Throws: `StoreSyncError.model` or `.store` for what cannot be synced.
    public init(
        _ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, options: SyncOptions
    ) throws {
        access = try StoreAccess(store, in: coordinator)
        binding = try ModelBinding(access.entities)
        self.options = options
        guard let url = options.ledgerURL ?? store.url.map(LedgerFile.url) else {
            throw StoreSyncError.store("it has no file")
        }
        ledgerURL = url
    }

    // MARK: Running

    /// Begins to sync.
    ///
    /// - Throws: `StoreSyncError.busy` if another synchronizer has the ledger; `.needsDecision` if the store does
    ///   not fit the ledger: call `resolve(_:)`; `.ledger`; or an error of the store.
    public func start() async throws { try await start(decision: nil) }

    /// Begins to sync a store that does not fit its ledger, as the app has decided. Edits that wait are sent.
    public func resolve(_ decision: StoreDecision) async throws {
        await stop()
        try await start(decision: decision)
    }

    private func start(decision: StoreDecision?) async throws {
        guard loop == nil else { return }
        let file = try LedgerFile(at: ledgerURL)
        let (access, binding, settings) = (access, binding, options.settings)
        let loop = SyncLoop(options.transport, board, issueBoard, roleBoard)
        self.loop = loop
        do {
            let engine = try await SyncEngine.open(
                access, binding, file, decision: decision, settings: settings,
                random: SystemRandomNumberGenerator())
            observe(loop)
            task = Task { await loop.run(engine) }
        } catch {
            self.loop = nil
            board.post(.stopped(reason: SyncFailure.reason(error)))
            throw error
        }
    }

    /// Ends syncing after what is being done now. What waits is sent after the next start.
    public func stop() async {
        guard let loop else { return }
        self.loop = nil
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
        loop.inbox.finish()
        await task?.value
        task = nil
        board.post(.stopped(reason: nil))
    }

    private func observe(_ loop: SyncLoop) {
        let inbox = loop.inbox
        let coordinator = access.coordinator
        let center = NotificationCenter.default
        observers.append(
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { note in
                guard let context = note.object as? NSManagedObjectContext,
                    context.persistentStoreCoordinator === coordinator,
                    context.transactionAuthor != StoreAccess.author
                else { return }
                inbox.yield(.event(.localChange))
            })
        observers.append(
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil) {
                _ in
                inbox.yield(.event(.localChange))
            })
    }

    // MARK: Asking

    /// The states of the synchronizer; the present one comes first.
    public nonisolated var status: AsyncStream<SyncStatus> { board.stream(keeping: 16) }

    /// What the user may do, as the server has said last; nil as long as it has not.
    public nonisolated var role: SyncRole? { roleBoard.latest }

    /// The issues that were not acknowledged, again whenever one comes or goes; the present ones come first,
    /// once the synchronizer is started.
    public nonisolated var issueUpdates: AsyncStream<SyncIssues> { issueBoard.stream(keeping: 1) }

    /// Sends all edits that were saved until now, and reads all news.
    ///
    /// - Throws: `SyncFailure` if the server cannot be reached or the store refuses an import; it is tried again
    ///   later. `StoreSyncError.stopped`.
    public func syncNow() async throws {
        guard let loop else { throw StoreSyncError.stopped }
        try await withCheckedThrowingContinuation { continuation in
            guard case .terminated = loop.inbox.yield(.sync(continuation)) else { return }
            continuation.resume(throwing: StoreSyncError.stopped)
        }
    }

    /// How many edits the server has not taken yet. Edits that were saved a moment ago may be missing.
    public var pendingCount: Int {
        get async throws { try await use { $0.pendingCount } }
    }

    /// Compares the whole store with the ledger, and sends what differs: edits of programs that write no
    /// history.
    ///
    /// - Returns: The number of objects that differed.
    public func verify() async throws -> Int {
        try await syncNow()
        let count = try await use { engine in
            let count = try await engine.verifyCount()
            if count > 0 { try await engine.forgetPosition() }
            return count
        }
        if count > 0 { try await syncNow() }
        return count
    }

    /// Reads the bytes of a large value from the server.
    func download(_ blob: BlobHash) async throws -> Data? { try await options.transport.download(blob.text) }

    /// Has the engine handle an event of the app.
    func send(_ event: SyncEvent) throws {
        guard let loop else { throw StoreSyncError.stopped }
        loop.inbox.yield(.event(event))
    }

    /// Runs a block in the task that owns the engine.
    func use<Result: Sendable>(
        _ body: @escaping @Sendable (inout SyncEngine) async throws -> Result
    ) async throws -> Result {
        guard let loop else { throw StoreSyncError.stopped }
        return try await withCheckedThrowingContinuation { continuation in
            let command = SyncLoop.Command.use { engine in
                do {
                    continuation.resume(returning: try await body(&engine))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            guard case .terminated = loop.inbox.yield(command) else { return }
            continuation.resume(throwing: StoreSyncError.stopped)
        }
    }
}
