import CoreDataSQL
package import CoreDataSyncCore

/// Values that lost, and objects that come back.
extension SyncService {
    /// Returns values that lost in a zone behind a place.
    package func losses(
        in zone: ZoneName, behind place: LogPlace, limit: Int, by caller: Caller
    ) async throws -> LogPage {
        let limits = limits
        return try await database.read { connection in
            let number = try Self.enter(zone, as: .reader, caller, connection)
            let count = max(1, min(limit, limits.page))
            let cells = try connection.table(
                """
                SELECT row, seq, id FROM loss WHERE zone = \(bind: .integer(number)) \
                AND (seq, id) > (\(bind: .count(place.sequence)), \(bind: .count(place.entry))) \
                ORDER BY seq, id LIMIT \(bind: .count(count))
                """, columns: 3)
            let last = try cells.last.map {
                LogPlace(sequence: try $0[1].count(), entry: try $0[2].count())
            }
            return LogPage(
                rows: try cells.map { try LogRow(wire: $0[0].tree()) }, next: last ?? place,
                isComplete: cells.count < count)
        }
    }

    /// Brings deleted objects back with all of their values.
    ///
    /// The rules of the model still hold: an object whose owner is deleted, and which cannot be without, goes
    /// again. So an owner is restored together with what went with it.
    package func restore(
        _ request: RestoreRequest, in zone: ZoneName, by caller: Caller
    ) async throws -> RestoreAnswer {
        guard request.objects.count <= limits.restored else {
            throw ServiceError.malformed("at most \(limits.restored) objects are restored at once")
        }
        let milliseconds = milliseconds
        let (answer, head) = try await database.write { [self] connection in
            let number = try Self.enter(zone, as: .writer, caller, connection)
            let server = try server(of: caller, in: zone, number, connection)
            var storage = try Self.zone(number, server.schema, connection, isLocked: true)
            let replica = server.replica(in: storage.header.epoch)
            let stamp = Stamp(
                time: storage.header.clock.tick(milliseconds: milliseconds), replica: replica)
            var changes: [Change] = []
            for id in Set(request.objects).sorted() {
                guard let state = try storage.row(.object(id))?.state, !state.existence.isAlive else {
                    continue
                }
                let edit = Change.Edit.existence(
                    state.existence.length + 1, seen: storage.header.sequence)
                changes.append(
                    Change(
                        number: UInt64(changes.count), item: .object(id), entity: state.entity, edit: edit,
                        stamp: stamp))
            }
            let push = PushRequest(
                epoch: storage.header.epoch, replica: replica,
                previous: try storage.device(replica)?.receipt ?? [], changes: changes)
            let result = try Self.push(push, server, number, connection, milliseconds)
            if case .refused = result.response.answer { throw ServiceError.busy }
            let after = try Self.zone(number, server.schema, connection)
            let living = try request.objects.filter { try after.row(.object($0))?.state.isAlive ?? false }
            return (RestoreAnswer(living: living, sequence: after.header.sequence), result.head)
        }
        announce(head, in: zone)
        return answer
    }

    /// Removes what was deleted or lost before a time, in all zones. Devices that have not seen it compare
    /// all that they have.
    ///
    /// - Returns: The number of zones that have forgotten something.
    @discardableResult
    package func forget(changedBefore milliseconds: UInt64) async throws -> Int {
        let zones = try await database.read { try ZoneDirectory($0).entries() }
        var count = 0
        for zone in zones {
            // A transaction a zone, so that pushes to others go on.
            let hasForgotten = try await database.write { [self] connection in
                // Without a model nothing was pushed.
                guard let server = try server(on: connection),
                    var storage = try SQLZone(
                        zone.number, schema: server.schema, on: connection, isLocked: true)
                else { return false }
                let before = storage.header
                try server.forget(&storage, changedBefore: milliseconds)
                try storage.finish()
                return storage.header != before
            }
            if hasForgotten { count += 1 }
        }
        return count
    }
}
