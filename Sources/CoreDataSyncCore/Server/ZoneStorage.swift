/// The rows of one zone for somebody who holds the zone's lock.
///
/// Indexes follow the rows: an implementation keeps them by `IndexEntries` whenever a row is written.
package protocol ZoneStorage {
    var header: ZoneHeader { get set }

    /// Runs code that changes the zone. If it throws, the zone is as it was before.
    mutating func transaction<Result>(_ body: (inout Self) throws -> Result) throws -> Result

    /// Whether every question is a trip, so that it helps to announce them.
    var isDistant: Bool { get }
    /// Reads what will be asked for, if it was not read yet. It changes no answer.
    func expect(_ questions: ZoneQuestions) throws

    func row(_ key: ItemKey) throws -> ZoneRow?
    mutating func write(_ row: ZoneRow, for key: ItemKey) throws
    /// Removes a row, and remembers eight bytes of the key.
    mutating func forget(_ key: ItemKey) throws
    /// Whether a row with the key was forgotten. It may be true of another key in 2^64.
    func hasForgotten(_ key: ItemKey) throws -> Bool

    /// Returns how many rows there are.
    func count() throws -> Int
    /// Returns rows behind a place in the order of (number, key).
    func rows(behind sequence: UInt64, _ key: ItemKey?, limit: Int) throws -> [(key: ItemKey, row: ZoneRow)]
    /// Returns rows behind a key in the order of keys.
    func rows(after key: ItemKey?, limit: Int) throws -> [(key: ItemKey, row: ZoneRow)]
    /// Returns the rows whose keys are in some buckets of the digest, in the order of keys.
    func rows(inBuckets buckets: Set<Int>) throws -> [(key: ItemKey, row: ZoneRow)]
    /// Returns the keys of deleted objects and absent pairs that have not changed since a time.
    func forgettable(changedBefore milliseconds: UInt64) throws -> [ItemKey]

    /// Returns the objects with a register that refers to an object, in the order of their IDs.
    func referrers(of target: SyncID) throws -> [Referrer]
    /// Returns the pairs that an object is in, in their order.
    func pairs(of object: SyncID) throws -> [ItemKey]
    /// Returns the objects with equal values of a unique rule, in the order of their IDs.
    func holders(of value: UniqueValue) throws -> [SyncID]

    func device(_ replica: ReplicaID) throws -> DeviceRow?
    mutating func write(_ device: DeviceRow, for replica: ReplicaID) throws
    /// Remembers the receipt of a push.
    mutating func noteTaken(_ receipt: [UInt8], at milliseconds: UInt64) throws
    func isTaken(_ receipt: [UInt8]) throws -> Bool
    mutating func removeReceipts(takenBefore milliseconds: UInt64) throws

    /// Adds a loser to the log, unless it is there: after a restore many devices report one.
    mutating func log(_ row: LogRow) throws
    func log(behind sequence: UInt64, through end: UInt64) throws -> [LogRow]
    mutating func removeLog(changedBefore milliseconds: UInt64) throws
}

extension ZoneStorage {
    package var isDistant: Bool { false }
    package func expect(_ questions: ZoneQuestions) {}
}

/// A register that refers to an object. An object that was merged into another one refers to it under the
/// register's name `alias`.
package struct Referrer: Hashable, Sendable {
    package var object: SyncID
    package var register: String

    package static let alias = "="

    package init(object: SyncID, register: String) {
        self.object = object
        self.register = register
    }
}

/// The values of the attributes of a unique rule, as a hash.
package struct UniqueValue: Hashable, Sendable {
    package var rule: UniqueRule
    package var hash: UInt64

    package init(rule: UniqueRule, hash: UInt64) {
        self.rule = rule
        self.hash = hash
    }
}

/// What an item is found by.
package struct IndexEntries: Hashable, Sendable {
    package var targets: [String: SyncID] = [:]
    package var unique: [UniqueValue] = []

    /// The entries of an item that is not there.
    package init() {}

    package init(_ state: ItemState, schema: SyncSchema) {
        guard let entity = schema.entities[state.entity] else { return }
        targets = state.registers.compactMapValues(\.value.reference)
        if let alias = state.alias { targets[Referrer.alias] = alias }
        guard state.isAlive else { return }
        unique = entity.indexed.compactMap { state.value(of: $0) }
    }
}

extension ItemState {
    /// Returns the values of a unique rule; nil if one of them is null, which is equal to nothing.
    package func value(of rule: UniqueRule) -> UniqueValue? {
        let values = rule.attributes.map { self[$0] }
        guard !values.contains(.null) else { return nil }
        return UniqueValue(
            rule: rule, hash: SyncValue.composite(values.map { .init("", $0) }).stableHash)
    }
}
