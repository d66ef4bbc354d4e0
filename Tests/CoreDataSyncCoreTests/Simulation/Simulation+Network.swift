import CoreDataSyncCore

/// The network, which delays, loses and doubles, and the server behind it.
extension Simulation {
    private var isLost: Bool { mutating get { !isHealed && random.below(100) < faults } }

    mutating func send(_ token: UInt64, _ request: SyncRequest, _ index: Int) {
        if sabotage.contains(.retry), case .push(let push) = request, isLost {
            // The device takes silence for an answer.
            let outcomes = push.changes.map { _ in Outcome.applied }
            let answer = SyncAnswer.push(PushAnswer(receipt: push.previous, outcomes: outcomes, sequence: 0))
            let response = SyncResponse(answer, milliseconds: serverTime)
            plan(.event(.response(token: token, response)), on: index, after: 1, run: devices[index].run)
            return
        }
        guard !isLost, !devices[index].isOffline else { return }
        plan(.request(token: token, request), on: index, after: delay(), run: devices[index].run)
        // A copy that comes late, perhaps after the run has ended.
        if isLost { plan(.request(token: token, request), on: index, after: delay() * 10) }
    }

    private mutating func delay() -> UInt64 {
        UInt64(1 + (random.chance(10) ? random.below(6000) : random.below(60)))
    }

    mutating func serve(_ token: UInt64, _ request: SyncRequest, _ index: Int, _ run: Int) throws {
        var request = request
        if usesBytes { request = try SyncRequest(wire: CBORReader.read(CBORWriter.bytes(of: request.wire))) }
        let number = storage.header.sequence
        let digest = storage.header.digest
        var response = try server.answer(request, &storage, milliseconds: serverTime)
        let hasChanged = storage.header.sequence != number
        if case .push(let push) = request, hasChanged {
            if sabotage.contains(.merge) { breakMerge(push) }
            try record.check(storage, before: number, digest, schema)
        }
        if sabotage.contains(.cursor), case .pull(var page) = response.answer, !page.isComplete {
            page.next.item = nil
            response.answer = .pull(page)
        }
        if usesBytes {
            response = try SyncResponse(wire: CBORReader.read(CBORWriter.bytes(of: response.wire)))
        }
        guard !isLost, !devices[index].isOffline else { return }
        plan(.event(.response(token: token, response)), on: index, after: delay(), run: devices[index].run)
        if hasChanged {
            for other in devices.indices where other != index && !isLost {
                plan(.event(.poke), on: other, after: delay(), run: devices[other].run)
            }
        }
    }

    /// Lets the last to arrive win.
    private mutating func breakMerge(_ push: PushRequest) {
        for change in push.changes {
            guard case .set("title", let value) = change.edit, var row = storage.row(change.item) else {
                continue
            }
            storage.header.digest.toggle(change.item, row.state)
            row.state.registers["title"] = .value(value, change.stamp)
            storage.header.digest.toggle(change.item, row.state)
            storage.write(row, for: change.item)
        }
    }
}
