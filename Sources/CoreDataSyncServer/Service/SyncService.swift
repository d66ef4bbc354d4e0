package import CoreDataSQL
package import CoreDataSyncCore
import Foundation
import Synchronization

/// What a server does for a caller whose token was accepted: rights first, then the zone's own logic in one
/// transaction, then news for those who listen.
package final class SyncService: Sendable {
    package let database: any ServerDatabase
    package let limits: ServiceLimits
    package let pokes = PokeHub()
    /// The ID of the server, of which those are made as which it writes.
    let replica: ReplicaID
    let models: ModelRegistry
    /// What callers of each role may do to single entities.
    private let policies: [Role: ChangePolicy]
    private let now: @Sendable () -> UInt64
    private let observer: @Sendable (PushFigures) -> Void

    /// - Parameters:
    ///   - now: The present in milliseconds since 1970.
    ///   - observer: Is called after each push.
    package init(
        _ database: any ServerDatabase, limits: ServiceLimits = ServiceLimits(), allowsNewModels: Bool = true,
        policies: [Role: ChangePolicy] = [:],
        now: @escaping @Sendable () -> UInt64 = SyncService.present,
        observer: @escaping @Sendable (PushFigures) -> Void = { _ in }
    ) async throws {
        self.observer = observer
        self.database = database
        self.limits = limits
        self.policies = policies
        self.now = now
        let milliseconds = now()
        (replica, models) = try await database.write { connection in
            let facts = ServerFacts(connection)
            return (
                try facts.replica(at: milliseconds),
                ModelRegistry(try facts.model(), try facts.edition(), allowsNew: allowsNewModels)
            )
        }
        database.share(pokes)
    }

    package static let present: @Sendable () -> UInt64 = {
        UInt64(max(0, Date().timeIntervalSince1970 * 1000))
    }

    package var milliseconds: UInt64 { now() }

    // MARK: Hello

    /// Registers a replica and its model.
    package func hello(_ request: HelloRequest, by caller: Caller) async throws -> HelloAnswer {
        let (milliseconds, limits, models) = (now(), limits, models)
        // Not while others wait to write.
        let model = try request.model.compiled()
        let zones: [(entry: ZoneDirectory.Entry, role: Role)]
        do {
            zones = try await database.write { connection in
                if let replica = request.replica {
                    try DeviceDirectory(connection).note(
                        replica, of: caller.user, name: String(request.name.prefix(100)), at: milliseconds,
                        atMost: limits.devices)
                }
                let zones = try ZoneDirectory(connection).entries(for: caller)
                try models.add(model, on: connection)
                return zones
            }
        } catch {
            try await database.read { try models.reload(on: $0) }
            throw error
        }
        return HelloAnswer(
            milliseconds: milliseconds, changes: limits.changes, page: limits.page, bytes: limits.bodyBytes,
            user: caller.user,
            zones: zones.map { entry, role in
                HelloAnswer.Zone(
                    name: entry.name.text(for: caller.user), role: role.rawValue, epoch: entry.epoch,
                    sequence: entry.sequence)
            })
    }

    // MARK: Syncing

    /// Answers a request of the protocol.
    ///
    /// - Parameter isAwaited: Whether somebody still waits for the answer. A push for which nobody does, and which has
    ///   not begun to write, is not made: its device sends it again.
    /// - Throws: `CancellationError` for such a push.
    package func answer(
        _ request: SyncRequest, in zone: ZoneName, by caller: Caller,
        isAwaited: @escaping @Sendable () -> Bool = { true }
    ) async throws -> SyncResponse {
        switch request {
        case .push(let push): try await self.push(push, in: zone, by: caller, isAwaited)
        case .task: try await writeTask(request, in: zone, by: caller)
        case .pull, .snapshot, .reconcile: try await read(request, in: zone, by: caller)
        }
    }

    private func writeTask(
        _ request: SyncRequest, in zone: ZoneName, by caller: Caller
    ) async throws -> SyncResponse {
        let milliseconds = now()
        return try await database.write { [self] connection in
            let number = try Self.enter(zone, as: .writer, caller, connection)
            let server = try server(of: caller, in: zone, number, connection)
            var storage = try Self.zone(number, server.schema, connection, isLocked: true)
            let response = try server.answer(request, &storage, milliseconds: milliseconds)
            try storage.finish()
            return response
        }
    }

    private func push(
        _ request: PushRequest, in zone: ZoneName, by caller: Caller,
        _ isAwaited: @escaping @Sendable () -> Bool
    ) async throws -> SyncResponse {
        let (milliseconds, limits) = (now(), limits)
        let asked = ContinuousClock.now
        let (result, begun) = try await database.write { [self] connection in
            let begun = ContinuousClock.now
            // It may have waited for others to end.
            guard isAwaited() else { throw CancellationError() }
            let number = try Self.enter(
                zone, as: .writer, caller, connection, makesAtMost: limits.zones, at: milliseconds)
            let server = try server(of: caller, in: zone, number, connection)
            try DeviceDirectory(connection).note(
                request.replica, of: caller.user, name: nil, at: milliseconds, atMost: limits.devices)
            let isFull = try Self.isFull(limits, zone, connection)
            let result = try Self.push(request, server, number, connection, milliseconds, isAwaited)
            // What deletes and replaces is taken, and a push that was taken before is answered again.
            if isFull, result.growth > 0 { throw ServiceError.quota(limits.zoneBytes) }
            return (result, begun)
        }
        observer(PushFigures(waited: begun - asked, lasted: .now - begun, losses: result.losses))
        announce(result.head, in: zone)
        return result.response
    }

    /// Pushes to a zone. A push that is refused leaves no trace.
    ///
    /// - Parameter isAwaited: Whether somebody waits for the answer once the zone is locked.
    package static func push(
        _ request: PushRequest, _ server: ZoneServer, _ number: Int64, _ connection: any SQLConnection,
        _ milliseconds: UInt64, _ isAwaited: () -> Bool = { true }
    ) throws -> PushResult {
        var storage = try Self.zone(number, server.schema, connection, isLocked: true)
        // It may have waited for the zone.
        guard isAwaited() else { throw CancellationError() }
        let before = storage.header.sequence
        let response = try server.answer(.push(request), &storage, milliseconds: milliseconds)
        if case .refused = response.answer { return PushResult(response: response) }
        try storage.finish()
        return PushResult(
            response: response, head: storage.header.sequence > before ? storage.header : nil,
            losses: storage.losses, growth: storage.growth)
    }

    private func read(
        _ request: SyncRequest, in zone: ZoneName, by caller: Caller
    ) async throws -> SyncResponse {
        let (milliseconds, limits) = (now(), limits)
        // A zone begins with the first question, so that its epoch is known before the first push.
        _ = try await number(of: zone, for: caller, as: .reader)
        return try await database.read { [self] connection in
            let server = try knownServer(on: connection)
            let number = try Self.enter(zone, as: .reader, caller, connection)
            var storage = try Self.zone(number, server.schema, connection)
            let request = try request.limited(limits, storage)
            return try server.answer(request, &storage, milliseconds: milliseconds)
        }
    }

    /// Returns where zones stand that the caller reads.
    package func heads(of zones: [ZoneName], by caller: Caller) async throws -> [Poke] {
        let heads = try await knownHeads(of: zones, by: caller)
        guard heads.count < zones.count else { return heads }
        // Zones begin with the first question.
        for zone in zones { _ = try await number(of: zone, for: caller, as: .reader) }
        return try await knownHeads(of: zones, by: caller)
    }

    /// Returns where those of some zones stand that are there, by one reading of the database.
    private func knownHeads(of zones: [ZoneName], by caller: Caller) async throws -> [Poke] {
        try await database.read { connection in
            let directory = ZoneDirectory(connection)
            return try zones.compactMap { zone in
                let entry = try directory.entry(of: zone)
                try Self.check(.reader, of: caller, in: zone, entry?.number, directory)
                return entry.map { Poke(zone: zone, epoch: $0.epoch, sequence: $0.sequence) }
            }
        }
    }

    /// Checks that the database answers.
    package func check() async throws {
        _ = try await database.read { try $0.count("SELECT count(*) FROM fact") }
    }

    // MARK: Zones

    /// Returns the number of a zone in which the caller has a role. A zone of the caller's own is made.
    func number(of zone: ZoneName, for caller: Caller, as role: Role) async throws -> Int64 {
        let known = try await database.read { connection in
            let directory = ZoneDirectory(connection)
            let number = try directory.number(of: zone)
            try Self.check(role, of: caller, in: zone, number, directory)
            return number
        }
        if let known { return known }
        let (most, milliseconds) = (limits.zones, now())
        return try await database.write { connection in
            try Self.enter(zone, as: role, caller, connection, makesAtMost: most, at: milliseconds)
        }
    }

    /// Returns the number of a zone in which the caller has a role.
    ///
    /// - Parameters:
    ///   - most: The zones that a user may have. If given, one that is missing is made for its owner.
    ///   - milliseconds: The present, of which a zone that is made takes its epoch.
    static func enter(
        _ zone: ZoneName, as role: Role, _ caller: Caller, _ connection: any SQLConnection,
        makesAtMost most: Int? = nil, at milliseconds: UInt64 = 0
    ) throws -> Int64 {
        let directory = ZoneDirectory(connection)
        let number = try directory.number(of: zone)
        try check(role, of: caller, in: zone, number, directory)
        if let number { return number }
        guard let most else { throw ServiceError.missing("there is no zone \(zone.name)") }
        return try directory.add(zone, at: milliseconds, atMost: most)
    }

    /// Checks a role. Who has none does not learn whether there is such a zone.
    private static func check(
        _ role: Role, of caller: Caller, in zone: ZoneName, _ number: Int64?, _ directory: ZoneDirectory
    ) throws {
        let membership = try number.flatMap { try directory.membership(of: caller.user, in: $0) }
        guard let own = caller.role(in: zone, membership: membership) else {
            throw ServiceError.forbidden("the zone \(zone.name) is not open to this token")
        }
        guard own >= role else {
            throw ServiceError.forbidden("a \(own.rawValue) is not a \(role.rawValue) of \(zone.name)")
        }
    }

    /// Whether a zone has no room for so many bytes more.
    static func isFull(
        _ limits: ServiceLimits, _ zone: ZoneName, _ connection: any SQLConnection, adding bytes: UInt64 = 1
    ) throws -> Bool {
        guard limits.zoneBytes > 0, let entry = try ZoneDirectory(connection).entry(of: zone) else {
            return false
        }
        let (sum, isTooLarge) = entry.bytes.addingReportingOverflow(bytes)
        return isTooLarge || sum > limits.zoneBytes
    }

    static func zone(
        _ number: Int64, _ schema: SyncSchema, _ connection: any SQLConnection, isLocked: Bool = false
    ) throws -> SQLZone {
        guard let zone = try SQLZone(number, schema: schema, on: connection, isLocked: isLocked) else {
            throw ServiceError.missing("the zone was removed")
        }
        return zone
    }

    /// Returns the logic of a zone for a transaction, under the model that all processes follow; nil if there is none
    /// yet.
    func server(on connection: any SQLConnection) throws -> ZoneServer? {
        guard let schema = try models.schema(on: connection) else { return nil }
        var server = ZoneServer(schema: schema, replica: replica)
        server.limits.changes = limits.changes
        server.limits.page = limits.page
        return server
    }

    private func knownServer(on connection: any SQLConnection) throws -> ZoneServer {
        guard let server = try server(on: connection) else {
            throw ServiceError.model("the server has no model yet: a device says hello first")
        }
        return server
    }

    /// Returns the logic of a zone for a transaction that writes, and what the caller may do.
    func server(
        of caller: Caller, in zone: ZoneName, _ number: Int64, _ connection: any SQLConnection
    ) throws -> ZoneServer {
        var server = try knownServer(on: connection)
        guard !policies.isEmpty else { return server }
        let membership = try ZoneDirectory(connection).membership(of: caller.user, in: number)
        if let role = caller.role(in: zone, membership: membership) {
            server.policy = policies[role] ?? ChangePolicy()
        }
        return server
    }

    func announce(_ header: ZoneHeader?, in zone: ZoneName) {
        guard let header else { return }
        pokes.announce(Poke(zone: zone, epoch: header.epoch, sequence: header.sequence))
        database.tellOthers()
    }
}

extension SyncRequest {
    /// Returns the request with a limit by which its page has no more bytes than are allowed.
    fileprivate func limited(_ limits: ServiceLimits, _ zone: SQLZone) throws -> SyncRequest {
        switch self {
        case .pull(var pull):
            pull.limit = try zone.pageSize(
                behind: pull.cursor.sequence, pull.cursor.item, limit: max(1, min(pull.limit, limits.page)),
                bytes: limits.pageBytes)
            return .pull(pull)
        case .snapshot(var snapshot):
            snapshot.limit = try zone.pageSize(
                after: snapshot.after, limit: max(1, min(snapshot.limit, limits.page)),
                bytes: limits.pageBytes)
            return .snapshot(snapshot)
        case .push, .reconcile, .task: return self
        }
    }
}
