import CoreDataSyncCore
import CoreDataSyncServer
import Foundation
import Synchronization

/// A service with a clock that a test sets, and callers with devices.
final class TestServer: Sendable {
    static let start: UInt64 = 1_800_000_000_000
    /// The epoch of a zone that is made at the start.
    static let epoch: UInt64 = start / 1000

    let folder: ServerFolder
    let service: SyncService
    private let clock = Clock()
    private let receipts = Mutex<[String: [UInt8]]>([:])

    init(
        _ database: TestedDatabase = .sqlite, limits: ServiceLimits = ServiceLimits(),
        policies: [Role: ChangePolicy] = [:], model: SyncModel? = TestModel.library
    ) async throws {
        folder = try ServerFolder(database)
        service = try await SyncService(
            try folder.database(), limits: limits, policies: policies, now: { [clock] in clock.now })
        if let model {
            _ = try await service.hello(
                HelloRequest(replica: Self.device(99), name: "test", model: model), by: Caller(user: "setup"))
        }
    }

    private final class Clock: Sendable {
        private let value = Mutex<UInt64>(TestServer.start)
        var now: UInt64 { value.withLock { $0 } }
        func advance(_ milliseconds: UInt64) { value.withLock { $0 += milliseconds } }
    }

    deinit { service.database.close() }

    var now: UInt64 { clock.now }
    func advance(_ milliseconds: UInt64) { clock.advance(milliseconds) }

    static func device(_ number: UInt64) -> SyncID { SyncID(high: 2, low: number) }
    static func id(_ number: UInt64) -> SyncID { SyncID(high: 3, low: number) }

    func change(
        _ id: UInt64, _ entity: String, _ edit: Change.Edit, by device: UInt64, after milliseconds: UInt64 = 0
    ) -> Change {
        Change(
            number: 0, item: .object(Self.id(id)), entity: entity, edit: edit,
            stamp: Stamp(
                time: HybridTime(milliseconds: now + milliseconds), replica: Self.device(device)))
    }

    /// Makes changes that insert a book.
    func book(_ id: UInt64, _ title: String, by device: UInt64) -> [Change] {
        [
            change(id, "Book", .existence(1, seen: 0), by: device),
            change(id, "Book", .set("title", .string(title)), by: device),
        ]
    }

    /// Pushes as a device that knows its receipt.
    @discardableResult
    func push(
        _ changes: [Change], to zone: ZoneName, by device: UInt64, _ caller: Caller, epoch: UInt64 = epoch
    ) async throws -> SyncResponse {
        let key = "\(zone) \(device)"
        let request = PushRequest(
            epoch: epoch, replica: Self.device(device), previous: receipts.withLock { $0[key] ?? [] },
            changes: changes)
        let response = try await service.answer(.push(request), in: zone, by: caller)
        if case .push(let answer) = response.answer { receipts.withLock { $0[key] = answer.receipt } }
        return response
    }

    func pull(
        _ zone: ZoneName, _ caller: Caller, since number: UInt64 = 0, epoch: UInt64 = epoch
    ) async throws -> SyncResponse {
        try await service.answer(
            .pull(PullRequest(epoch: epoch, cursor: Cursor(complete: number), limit: 100)), in: zone,
            by: caller)
    }
}

extension SyncResponse {
    var items: [ItemUpdate] { if case .pull(let page) = answer { page.updates } else { [] } }
    var titles: [SyncValue] { items.map { $0.state["title"] } }
    var outcomes: [Outcome] { if case .push(let answer) = answer { answer.outcomes } else { [] } }
}
