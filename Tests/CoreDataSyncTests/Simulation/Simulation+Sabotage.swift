import CoreDataSync
import CoreDataSyncCore

/// Broken code.
extension Simulation {
    /// Has a device believe that the server has taken a push whose answer is lost.
    func takeSilenceForAnswer(_ token: UInt64, _ request: SyncRequest, _ node: Node) {
        guard case .push(let push) = request else { return }
        let outcomes = push.changes.map { _ in Outcome.applied }
        let answer = PushAnswer(receipt: push.previous, outcomes: outcomes, sequence: 0)
        let response = SyncResponse(.push(answer), milliseconds: server.wall)
        node.tasks.append(.response(token: token, response))
    }

    /// Puts the texts back that a push has replaced.
    func letFirstWin(_ push: PushRequest, before: DictionaryStorage) {
        for change in push.changes {
            guard case .set(let name, .string) = change.edit,
                let old = before.row(change.item)?.state.registers[name],
                var row = server.storage.row(change.item), row.state.registers[name] != old
            else { continue }
            server.storage.header.digest.toggle(change.item, row.state)
            row.state.registers[name] = old
            server.storage.header.digest.toggle(change.item, row.state)
            server.storage.write(row, for: change.item)
        }
    }
}

extension Device {
    /// Returns an import that does not notice that its objects were edited since its capture.
    func overwriting(_ plan: ImportPlan) async throws -> ImportPlan {
        let ledger = engine!.ledger
        let rows = Dictionary(try await engine!.readStore().rows.map { ($0.local, $0) }) { $1 }
        var plan = plan
        for index in plan.rows.indices {
            guard let row = plan.rows[index].local.flatMap({ rows[$0] }) else { continue }
            for name in plan.rows[index].values.keys {
                let present: SyncValue? =
                    switch row.values[name] {
                    case nil: .null
                    case .plain(let value): value
                    case .object(let local): ledger.id(of: local).map { .reference($0) }
                    }
                if let present { plan.rows[index].values[name]?.expected = present.stableHash }
            }
        }
        return plan
    }
}
