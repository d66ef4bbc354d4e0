/// The writes of one push, each of which gets the push's number, and what was there before them.
package struct ZoneTransaction<Storage: ZoneStorage> {
    package var storage: Storage
    package let schema: SyncSchema
    /// The replica as which the server writes.
    let server: ReplicaID
    let sequence: UInt64
    let milliseconds: UInt64
    let policy: ChangePolicy
    /// The latest stamp that is taken.
    let latest: HybridTime
    /// The rows before the push; nil for those that it makes.
    private(set) var before: [ItemKey: ZoneRow?] = [:]
    /// The objects whose rules have to be looked at.
    private(set) var touched: Set<SyncID> = []
    /// Objects that a concurrent edit has brought back in this push.
    private(set) var revived: Set<SyncID> = []
    /// One stamp for everything that the server decides in this push.
    private var decision: Stamp?

    init(
        storage: Storage, schema: SyncSchema, server: ReplicaID, policy: ChangePolicy, milliseconds: UInt64,
        latest: HybridTime
    ) {
        self.storage = storage
        self.schema = schema
        self.server = server
        self.policy = policy
        self.milliseconds = milliseconds
        self.latest = latest
        sequence = storage.header.sequence + 1
    }

    /// Whether anything was written or logged, so that the push takes a number.
    private(set) var hasWritten = false

    /// The stamp of the server's own writes: later than everything that is stored.
    mutating func stamp() -> Stamp {
        if let decision { return decision }
        let stamp = Stamp(
            time: storage.header.clock.tick(milliseconds: milliseconds), replica: server)
        decision = stamp
        return stamp
    }

    /// Whether the server writes as a replica, in this epoch or another one.
    func isServer(_ replica: ReplicaID) -> Bool { replica.high == server.high }

    func state(_ id: SyncID) throws -> ItemState? { try storage.row(.object(id))?.state }

    /// Returns the ID under which an object lives, which is another one if it was merged.
    func resolved(_ id: SyncID) throws -> SyncID {
        var id = id
        while let alias = try state(id)?.alias { id = alias }
        return id
    }

    func isAlive(_ id: SyncID) throws -> Bool { try state(id)?.isAlive ?? false }

    mutating func touch(_ id: SyncID) { touched.insert(id) }
    mutating func takeTouched() -> Set<SyncID> {
        defer { touched = [] }
        return touched
    }

    /// Has a look taken at what refers to an object, also under the IDs of those merged into it.
    mutating func touchReferrers(of id: SyncID) throws {
        for referrer in try storage.referrers(of: id) {
            if referrer.register == Referrer.alias {
                try touchReferrers(of: referrer.object)
            } else {
                touch(referrer.object)
            }
        }
    }

    // MARK: Writing

    mutating func write(_ register: Register, as name: String, of key: ItemKey) throws {
        guard var row = try storage.row(key) else { return }
        let old = row.state[name]
        row.state.registers[name] = register
        row.sequences[name] = sequence
        try write(row, for: key)
        for target in [old.reference, register.value.reference] {
            if let target { touch(try resolved(target)) }
        }
    }

    /// Sets a value by the server's own decision.
    mutating func set(_ value: SyncValue, as name: String, of id: SyncID) throws {
        try write(.value(value, stamp()), as: name, of: .object(id))
    }

    /// Deletes an object, or brings it back, by a greater length than it has. A reader gets all registers of one that comes
    /// back, since it may have dropped them, also if the deletion before has not come here.
    mutating func set(_ existence: Existence, of id: SyncID) throws {
        guard var row = try storage.row(.object(id)) else { return }
        if existence.isAlive {
            row.sequences = row.state.registers.mapValues { _ in sequence }
        }
        row.state.existence = existence
        try write(row, for: .object(id))
        // It counts as a member, or no longer, wherever it refers to or is paired with.
        for register in row.state.registers.values {
            if let target = register.value.reference { touch(try resolved(target)) }
        }
        for case .pair(_, let first, let second) in try pairs(of: id) {
            touch(first == id ? second : first)
        }
        try touchReferrers(of: id)
    }

    /// Deletes a living object, or brings a deleted one back, by the server's own decision.
    mutating func turn(_ id: SyncID, _ reason: LostValue.Reason) throws {
        guard let state = try state(id) else { return }
        let next = Existence(length: state.existence.length + 1, stamp: stamp())
        try log(
            LostValue(
                item: .object(id), entity: state.entity, register: nil, value: .boolean(state.isAlive),
                stamp: state.existence.stamp, winner: next.stamp, reason: reason))
        try set(next, of: id)
        if reason == .revived { revived.insert(id) }
    }

    /// Sets a value by the server's own decision and logs the one that it replaces.
    mutating func replace(
        _ register: String, of id: SyncID, by value: SyncValue, _ reason: LostValue.Reason
    ) throws {
        guard let state = try state(id), let old = state.registers[register] else { return }
        try log(
            LostValue(
                item: .object(id), entity: state.entity, register: register, value: old.value,
                stamp: old.stamp, winner: stamp(), reason: reason))
        try set(value, as: register, of: id)
    }

    mutating func write(_ row: ZoneRow, for key: ItemKey) throws {
        var row = row
        let present = try storage.row(key)
        if before[key] == nil { before[key] = .some(present) }
        hasWritten = true
        row.sequence = sequence
        row.changed = milliseconds
        try storage.write(row, for: key)
        storage.header.digest.replace(key, present?.state, by: row.state)
        switch key {
        case .object(let id): touch(id)
        case .pair(_, let first, let second):
            touch(first)
            touch(second)
        }
    }

    /// Removes a row that stands under another key now.
    mutating func forget(_ key: ItemKey) throws {
        guard let row = try storage.row(key) else { return }
        if before[key] == nil { before[key] = .some(row) }
        storage.header.digest.replace(key, row.state, by: nil)
        try storage.forget(key)
    }

    mutating func log(_ lost: LostValue) throws {
        hasWritten = true
        try storage.log(LogRow(sequence: sequence, lost: lost, changed: milliseconds))
    }
}
