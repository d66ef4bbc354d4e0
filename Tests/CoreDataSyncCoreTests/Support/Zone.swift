import CoreDataSyncCore

/// A zone in memory with devices that push to it.
struct Zone {
    static let start: UInt64 = 1_800_000_000_000
    var storage: DictionaryStorage
    var server: ZoneServer
    var now: UInt64
    private var receipts: [SyncID: [UInt8]] = [:]
    private var number: UInt64 = 0

    /// - Parameter milliseconds: How long after the first possible edit it is.
    init(_ model: SyncModel = TestModel.library, after milliseconds: UInt64 = 0) throws {
        now = Self.start + milliseconds
        let schema = try model.compiled()
        storage = DictionaryStorage(schema: schema)
        server = ZoneServer(schema: schema, replica: SyncID(high: 9, low: 9))
    }

    static func device(_ number: UInt64) -> SyncID { SyncID(high: 2, low: number) }
    static func id(_ number: UInt64) -> SyncID { SyncID(high: 3, low: number) }

    func stamp(_ device: UInt64, at time: UInt64) -> Stamp {
        Stamp(time: HybridTime(milliseconds: Self.start + time), replica: Self.device(device))
    }

    func push(of changes: [Change], by device: UInt64) -> PushRequest {
        PushRequest(
            epoch: storage.header.epoch, replica: Self.device(device),
            previous: receipts[Self.device(device)] ?? [],
            changes: changes)
    }

    /// Pushes changes and returns what became of them.
    @discardableResult
    mutating func push(_ changes: [Change], by device: UInt64) throws -> [Outcome] {
        let answer = try server.push(push(of: changes, by: device), &storage, milliseconds: now)
        receipts[Self.device(device)] = answer.receipt
        return answer.outcomes
    }

    /// Deletes an object as another device, and forgets that it was there.
    mutating func deleteAndForget(_ id: SyncID, _ entity: String, at time: UInt64) throws {
        let edit = Change.Edit.existence(2, seen: storage.header.sequence)
        number += 1
        try push(
            [
                Change(
                    number: number, item: .object(id), entity: entity, edit: edit, stamp: stamp(8, at: time))
            ],
            by: 8)
        try server.forget(&storage, changedBefore: now + 1)
    }

    /// Has a forgotten object again, with values of the server's: one that was restored may have forgotten that it forgot.
    mutating func remake(
        _ id: SyncID, _ entity: String, _ values: [String: SyncValue] = [:], at time: UInt64
    ) throws {
        let stamp = stamp(5, at: time)
        storage.header.sequence += 1
        storage.header.clock.receive(stamp.time)
        var row = ZoneRow(
            state: ItemState(entity: entity, existence: Existence(length: 1, stamp: stamp)),
            sequence: storage.header.sequence, changed: now)
        let written = Stamp(time: stamp.time, replica: server.replica(in: storage.header.epoch))
        for (name, value) in values {
            row.state.registers[name] = .value(value, written)
            row.sequences[name] = row.sequence
        }
        storage.header.digest.toggle(.object(id), row.state)
        storage.write(row, for: .object(id))
    }

    /// Makes changes that insert an object, all with one stamp.
    mutating func insert(
        _ entity: String, _ id: UInt64, _ values: [String: SyncValue], by device: UInt64, at time: UInt64
    ) -> [Change] {
        [change(id, entity, .existence(1, seen: 0), by: device, at: time)]
            + values.sorted { $0.key < $1.key }.map {
                change(id, entity, .set($0.key, $0.value), by: device, at: time)
            }
    }

    mutating func change(
        _ id: UInt64, _ entity: String, _ edit: Change.Edit, by device: UInt64, at time: UInt64,
        base: Stamp? = nil
    ) -> Change {
        number += 1
        return Change(
            number: number, item: .object(Self.id(id)), entity: entity, edit: edit,
            stamp: stamp(device, at: time),
            base: base)
    }

    func state(_ id: UInt64) -> ItemState? { storage.row(.object(Self.id(id)))?.state }
    func isAlive(_ id: UInt64) -> Bool { state(id)?.isAlive ?? false }
    var reasons: [LostValue.Reason] { storage.log.map(\.lost.reason) }
}
