import CoreDataSyncCore

/// What has to hold after each step, and what the end needs to know of the way there.
struct SimRecord {
    /// The texts that lost, as the server logged them.
    var logged: Set<String> = []
    /// Objects whose deletion the server has forgotten, with their causal lengths.
    private var forgotten: [ItemKey: UInt32] = [:]

    /// How far a device has come.
    struct Progress {
        let received: HybridTime
        let nextNumber: UInt64
        let epoch: UInt64
        let complete: UInt64
        let isForeign: Bool

        init(_ ledger: DictionaryLedger) {
            received = ledger.header.received
            nextNumber = ledger.header.nextNumber
            epoch = ledger.header.epoch
            complete = ledger.header.cursor.complete
            isForeign = ledger.header.isForeign
        }
    }

    /// Cursors, numbers and clocks of a device only rise.
    func check(before old: Progress, after new: Progress) throws {
        guard new.received >= old.received else { throw failure("a device's clock fell") }
        guard new.nextNumber >= old.nextNumber else { throw failure("a device's numbers fell") }
        guard new.epoch >= old.epoch else { throw failure("an epoch fell") }
        // A device whose store was replaced reads all of the zone again.
        if new.epoch == old.epoch, new.complete < old.complete, !new.isForeign {
            throw failure("a cursor fell from \(old.complete) to \(new.complete)")
        }
    }

    /// Numbers, causal lengths and stamps on the server only rise, nothing forgotten comes back, and the
    /// rules of the model hold after each push.
    mutating func check(
        _ storage: DictionaryStorage, before number: UInt64, _ digest: ZoneDigest, _ schema: SyncSchema
    ) throws {
        guard storage.header.sequence > number else { throw failure("a number fell") }
        for entry in storage.log(behind: number, through: .max) { note(entry.lost) }
        var earlier: [ItemKey: ZoneRow?] = [:]
        for case .row(let key, let row) in storage.journal where earlier[key] == nil {
            earlier[key] = .some(row)
        }
        let changed = storage.rows(behind: number, nil, limit: .max)
        var digest = digest
        for (key, old) in earlier where storage.row(key) == nil {
            guard case .pair(_, let first, let second) = key,
                [first, second].contains(where: { storage.row(.object($0))?.state.alias != nil })
            else { throw failure("\(key) is gone, and no object of it was merged into another one") }
            if let old { digest.toggle(key, old.state) }
            earlier.removeValue(forKey: key)
        }
        guard changed.count == earlier.count else { throw failure("a row has not the number of its push") }
        for (key, row) in changed {
            let old = earlier[key] ?? nil
            if let old { digest.toggle(key, old.state) }
            digest.toggle(key, row.state)
            if let length = forgotten[key], row.state.isAlive, row.state.existence.length <= length {
                throw failure("\(key) came back")
            }
            guard let old else { continue }
            guard row.state.existence.length >= old.state.existence.length else {
                throw failure("a length fell")
            }
            for (name, register) in row.state.registers {
                guard schema.mergeRule(name, of: row.state.entity) == .latest else { continue }
                if let earlier = old.state.registers[name], register.stamp < earlier.stamp {
                    throw failure("the stamp of \(name) fell")
                }
                if let earlier = old.state.registers[name], register.stamp == earlier.stamp,
                    register.value != earlier.value
                {
                    throw failure("\(name) changed under one stamp")
                }
            }
        }
        guard digest == storage.header.digest else { throw failure("the digest is not that of the rows") }
        try Validity(schema: schema, storage: storage).check(changed.map(\.key))
    }

    private mutating func note(_ lost: LostValue) {
        if case .string(let text) = lost.value { logged.insert(text) }
    }

    mutating func noteForgotten(before: DictionaryStorage, after: DictionaryStorage) {
        for (key, row) in before.rows where after.rows[key] == nil {
            // An object of the same identity may be made at any time.
            let mayReturn = key.object == nil || hasIdentity(row, before.schema)
            if !mayReturn { forgotten[key] = row.state.existence.length }
            noteTexts(row.state)
        }
    }

    /// A restored server knows only what its backup had. What is in its log and its bin has been announced,
    /// also what an object had before it was deleted and made again by its identity.
    mutating func noteRestore(before: DictionaryStorage) {
        for row in before.rows.values {
            var former = row.state
            if row.state.isAlive {
                guard hasIdentity(row, before.schema) else { continue }
                former.registers = former.registers.filter { $0.value.stamp < row.state.existence.stamp }
            }
            noteTexts(former)
        }
        forgotten = [:]
    }

    private func hasIdentity(_ row: ZoneRow, _ schema: SyncSchema) -> Bool {
        schema.entities[row.state.entity].map { !$0.identity.isEmpty } ?? false
    }

    private mutating func noteTexts(_ state: ItemState) {
        for register in state.registers.values {
            if case .string(let text) = register.value { logged.insert(text) }
        }
    }

    private func failure(_ text: String) -> Simulation.Failure { Simulation.Failure(description: text) }
}

extension SimApp {
    /// Makes the user of a copy of a device. Values of both have to differ.
    init(continuing other: SimApp, as number: Int) {
        self = other
        entered = []
        replaced = []
        prefix = "c\(number)-"
    }
}
