public import CoreData
internal import CoreDataSyncCore
internal import Foundation

extension StoreSynchronizer {
    /// Runs code on one device of the zone for all of them: what a new version of the app has to do once with objects that
    /// every device has.
    ///
    /// The code sees what all devices have sent until now, and what it saves is sent before the task counts as done. If
    /// the device ends amid it, or cannot reach the server any more, another one runs the code again a minute later at the
    /// earliest, perhaps on what the first has sent. So code that inserts objects gives them an identity, and code
    /// that edits finds nothing to do where it has been.
    ///
    /// - Parameters:
    ///   - name: The name of the task among all that the zone has ever had: 1 to 200 bytes in UTF-8. A zone has at most 100.
    ///   - body: The code. It runs on the queue of a context of its own, which is saved afterwards.
    /// - Returns: Whether the task is done, here or before; false while another device is at it.
    /// - Throws: What `body` or the save throws, after which the task is left to others; `SyncFailure` if the server cannot
    ///   be reached or the user may only read; `StoreSyncError.stopped`.
    @discardableResult
    public func syncOnce(
        _ name: String, _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void
    ) async throws -> Bool {
        let holder = SyncID(UUID())
        // So that the epoch of the server is known.
        try await syncNow()
        switch try await task(name, .take, as: holder) {
        case .done: return true
        case .open, .taken: return false
        case .mine: break
        }
        let renewal = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(Self.lease / 3))
                _ = try? await task(name, .take, as: holder)
            }
        }
        defer { renewal.cancel() }
        do {
            // Another device may have had the task before, and have sent a part of its work.
            try await syncNow()
            try await edit(body)
            try await syncNow()
            return try await task(name, .finish, as: holder) == .done
        } catch {
            // One that is on its way would take the task once more.
            renewal.cancel()
            _ = await renewal.result
            _ = try? await task(name, .leave, as: holder)
            throw error
        }
    }

    /// For how long a device has a task unless it asks again, in milliseconds.
    private static let lease: UInt64 = 60_000

    /// Runs code of the app in a context, and saves it as an edit of the app.
    private func edit(_ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws {
        let context = access.makeContext()
        context.transactionAuthor = nil
        try await context.perform {
            try body(context)
            if context.hasChanges { try context.save() }
        }
    }

    private func task(
        _ name: String, _ step: TaskRequest.Step, as holder: SyncID
    ) async throws -> TaskState {
        let epoch = try await use { $0.ledger.header.epoch }
        let request = SyncRequest.task(
            TaskRequest(epoch: epoch, name: name, holder: holder, step: step, duration: Self.lease))
        let answer: SyncAnswer
        do {
            let bytes = try await options.transport.answer(to: Data(CBORWriter.bytes(of: request.wire)))
            answer = try SyncResponse(wire: CBORReader.read(Array(bytes), limits: .trusted)).answer
        } catch {
            throw SyncFailure(reason: SyncFailure.reason(error))
        }
        switch answer {
        case .task(let state): return state
        case .refused(.epoch): throw SyncFailure(reason: "the server was restored from a backup")
        case .refused(.invalid(let problem)): throw SyncFailure(reason: problem)
        default: throw SyncFailure(reason: "the server does not know tasks")
        }
    }
}
