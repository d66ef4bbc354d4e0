extension ZoneServer {
    /// Takes the changes of a replica, all or none: merges them, applies the rules of the model, and numbers
    /// what has changed.
    ///
    /// A push that was taken before gets the same answer again.
    package func push<Storage: ZoneStorage>(
        _ request: PushRequest, _ storage: inout Storage, milliseconds: UInt64
    ) throws -> PushAnswer {
        try check(epoch: request.epoch, storage)
        let receipt = PushReceipt.receipt(of: request)
        let device = try storage.device(request.replica)
        if let device, device.receipt == receipt { return device.answer }
        guard device?.receipt ?? [] == request.previous else {
            throw Refusal.clone(isTaken: try storage.isTaken(receipt))
        }
        let clock = clock(request, storage, milliseconds: milliseconds)
        let latest = HybridTime(milliseconds: max(clock.last.milliseconds, milliseconds) + limits.ahead)
        try check(request, latest: latest)
        return try storage.transaction { storage in
            // The rows move into the transaction and back, so that they are never copied.
            storage.header.clock = clock
            let server = replica(in: storage.header.epoch)
            var transaction = ZoneTransaction(
                storage: consume storage, schema: schema, server: server, policy: policy,
                milliseconds: milliseconds, latest: latest)
            let answer = Result { try transaction.take(request, receipt, steps: limits.steps) }
            storage = transaction.storage
            return try answer.get()
        }
    }

    /// Returns the zone's clock, which is at least where it was when the replica last heard of it. The replica
    /// stamps later than that, and the server may know nothing of it since it was restored.
    private func clock(
        _ request: PushRequest, _ storage: some ZoneStorage, milliseconds: UInt64
    ) -> HybridClock {
        var clock = storage.header.clock
        clock.receive(min(request.received, HybridTime(milliseconds: milliseconds + limits.behind)))
        return clock
    }

    /// Checks what needs no row.
    private func check(_ request: PushRequest, latest: HybridTime) throws {
        guard request.changes.count <= limits.changes else {
            throw Refusal.invalid("a push has at most \(limits.changes) changes")
        }
        guard request.changes.allSatisfy({ $0.stamp.time <= latest || $0.isRelayed }) else {
            throw Refusal.clockAhead
        }
    }
}

extension ZoneTransaction {
    /// Merges the changes of a push, applies the rules of the model and remembers the answer.
    fileprivate mutating func take(
        _ request: PushRequest, _ receipt: [UInt8], steps: Int
    ) throws -> PushAnswer {
        for change in request.changes where change.stamp.time <= latest {
            storage.header.clock.receive(change.stamp.time)
        }
        try expect(request.changes)
        var outcomes: [Outcome] = []
        for change in request.changes { outcomes.append(try merge(change, by: request.replica)) }
        try close(steps: steps)
        if hasWritten { storage.header.sequence = sequence }
        let answer = PushAnswer(receipt: receipt, outcomes: outcomes, sequence: storage.header.sequence)
        try storage.write(DeviceRow(receipt: receipt, answer: answer), for: request.replica)
        try storage.noteTaken(receipt, at: milliseconds)
        return answer
    }

    /// Merges one change into the rows.
    private mutating func merge(_ change: Change, by replica: ReplicaID) throws -> Outcome {
        if let problem = problem(of: change) { return .rejected(problem) }
        if case .merged(let survivor) = change.edit {
            let row = try storage.row(change.item)
            if let problem = policy.problem(of: change, to: row) { return .rejected(problem) }
            return try repeatUnion(change, into: survivor)
        }
        let key = try change.item.mapped { try resolved($0) }
        if let problem = policy.problem(of: change, to: try storage.row(key)) { return .rejected(problem) }
        let outcome: Outcome
        switch change.edit {
        case .existence(let length, let seen):
            outcome = try merge(length, seen: seen, change, of: key, by: replica)
        case .set, .count, .merged:
            outcome = try merge(change, into: key, by: replica)
            // The push of the other image may come later, and no reader may find one without the other.
            for image in schema.images(of: key)
            where image != key && change.register == ItemState.presence && outcome == .applied {
                _ = try merge(change, into: image, by: replica)
            }
        }
        // A pair that has lost is the other object's, too.
        if outcome == .applied || outcome == .superseded && key.object == nil,
            let survivor = change.item.survivor(in: key)
        {
            return .alias(survivor)
        }
        return outcome
    }

    /// Returns why a change cannot be stored.
    private func problem(of change: Change) -> String? {
        guard change.stamp.time <= latest else { return "the stamp lies ahead of the server's clock" }
        switch change.item {
        case .pair(let name, _, _):
            guard schema.pairs[name] != nil else { return "there is no relationship \(name)" }
            switch change.edit {
            case .set(ItemState.presence, .boolean), .set(ItemState.places[0], .position),
                .set(ItemState.places[1], .position):
                return nil
            default: return "a pair of \(name) has no such register"
            }
        case .object:
            guard let entity = schema.entities[change.entity] else {
                return "there is no entity \(change.entity)"
            }
            guard let register = change.register else { return nil }
            guard let rule = entity.registers[register] else {
                return "\(change.entity) has no property \(register)"
            }
            guard rule.accepts(change.value) else {
                return "\(change.entity).\(register) cannot have such a value"
            }
            if case .count = change.edit, rule.merge != .counter { return "\(register) is no counter" }
            if case .set = change.edit, rule.merge == .counter { return "\(register) is a counter" }
            return nil
        }
    }

    // MARK: Existence

    private mutating func merge(
        _ length: UInt32, seen: UInt64, _ change: Change, of key: ItemKey, by replica: ReplicaID
    ) throws -> Outcome {
        guard let id = key.object else { return .rejected("a pair is made by its register") }
        let incoming = Existence(length: length, stamp: change.stamp)
        guard let row = try storage.row(key) else {
            // The object that this one was merged into may be among what is forgotten.
            guard length == 1 || change.isRelayed, key == change.item else { return .gone }
            // What is repeated may be older than a deletion that is forgotten: what a device brings back, and what a copy
            // of a device sends, too. Only an ID that is made of values is made twice.
            if change.isRelayed || !id.isDerived, mayHaveForgotten, try storage.hasForgotten(key) {
                return .gone
            }
            try write(ZoneRow(state: ItemState(entity: change.entity, existence: incoming)), for: key)
            return .applied
        }
        guard incoming.length > row.state.existence.length else { return .superseded }
        guard !incoming.isAlive, row.state.isAlive, !change.isRelayed else {
            try set(incoming, of: id)
            return .applied
        }
        // What the deleting replica had not seen goes to the log, or brings the object back.
        let unseen = row.state.registers.filter {
            row.sequences[$0.key, default: 0] > seen && $0.value.stamp.replica != replica
                && !isServer($0.value.stamp.replica)
        }
        let isRevived = !unseen.isEmpty && schema.entities[row.state.entity]?.editsWin ?? false
        try set(incoming, of: id)
        if isRevived {
            try turn(id, .revived)
            return .superseded
        }
        for (name, register) in unseen.sorted(by: { $0.key.isBefore($1.key) }) {
            try log(
                LostValue(
                    item: key, entity: row.state.entity, register: name, value: register.value,
                    stamp: register.stamp, winner: change.stamp, reason: .deleted))
        }
        return .applied
    }

    private var mayHaveForgotten: Bool { storage.header.forgottenTime > .zero }

    // MARK: Registers

    private mutating func merge(
        _ change: Change, into key: ItemKey, by replica: ReplicaID
    ) throws -> Outcome {
        guard let name = change.register, var written = change.written else {
            return .rejected("no register")
        }
        if key != change.item, let id = change.item.object { written = written.inherited(from: id) }
        guard let row = try rowToMerge(change, key) else { return .gone }
        let rule = schema.mergeRule(name, of: row.state.entity)
        let present = row.state.registers[name]
        let merged = present?.merged(with: written, rule) ?? written
        if let present, merged == present, present.stamp < written.stamp {
            // Its writer has perhaps seen what it loses to, and gets it once more.
            try write(present, as: name, of: key)
        } else if merged != present {
            try write(merged, as: name, of: key)
        }
        var isBuried = false
        if !row.state.isAlive, change.stamp.replica != row.state.existence.stamp.replica || change.isRelayed {
            isBuried = try !revive(for: change, name, row.state, key)
        }
        guard let present, rule.losesEdits, present.stamp != change.stamp, present.stamp != .never,
            present.value != written.value
        else { return isBuried || (merged == present && present != written) ? .superseded : .applied }
        let hasWon = merged == written
        // A write that replaces the one it has seen takes nothing away. No replica pushes an earlier write of a
        // register behind a later one, unless they were writes of two objects that are merged by now.
        let hasSeen = hasWon && change.base == present.stamp
        if !hasSeen, hasWon || !isBuried {
            let (loser, winner) = hasWon ? (present, written) : (written, present)
            try log(
                LostValue(
                    item: key, entity: row.state.entity, register: name, value: loser.value,
                    stamp: loser.stamp, winner: winner.stamp, reason: .concurrent))
        }
        return hasWon && !isBuried ? .applied : .superseded
    }

    /// Returns the row that a change is merged into; nil if it was forgotten. A pair is made by its first
    /// register.
    private mutating func rowToMerge(_ change: Change, _ key: ItemKey) throws -> ZoneRow? {
        if let row = try storage.row(key) { return row }
        guard case .pair = key else { return nil }
        // A later removal may be what is forgotten.
        if change.stamp.time <= storage.header.forgottenTime, try storage.hasForgotten(key) { return nil }
        let existence = Existence(length: 1, stamp: change.stamp)
        let row = ZoneRow(state: ItemState(entity: change.entity, existence: existence))
        try write(row, for: key)
        return row
    }

    /// Brings a deleted object back for a concurrent edit, or logs the edit. Returns whether the object lives.
    private mutating func revive(
        for change: Change, _ name: String, _ state: ItemState, _ key: ItemKey
    ) throws -> Bool {
        if let id = key.object, schema.entities[state.entity]?.editsWin ?? false {
            try turn(id, .revived)
            return true
        }
        try log(
            LostValue(
                item: key, entity: state.entity, register: name, value: change.value, stamp: change.stamp,
                winner: state.existence.stamp, reason: .deleted))
        return false
    }
}
