import CoreDataSyncCore

/// Random values and states, few enough that equal and concurrent ones meet.
extension SeededGenerator {
    mutating func id(of count: Int = 3) -> SyncID { SyncID(high: 7, low: UInt64(below(count) + 1)) }

    mutating func stamp() -> Stamp {
        Stamp(time: HybridTime(milliseconds: UInt64(below(4)), counter: UInt16(below(2))), replica: id())
    }

    mutating func value(depth: Int = 0) -> SyncValue {
        switch below(depth < 2 ? 14 : 12) {
        case 0: .null
        case 1: .boolean(chance(50))
        case 2: .integer(pick([0, 1, -1, 5, .max, .min]))
        case 3: .real(pick([0, -0.0, .nan, 1.5, -3, .infinity]))
        case 4: .decimal(CanonicalDecimal(pick(["0", "1.5", "-2.25", "1000"]))!)
        case 5: .string(pick(["", "a", "é", "e\u{301}", "long text"]))
        case 6: .date(seconds: pick([0, 0.5, -1e9]))
        case 7: .data(pick([[], [0], [1, 2, 3]]))
        case 8: .uuid(id())
        case 9: .uri(pick(["a:b", "https://example.org"]))
        case 10: .reference(id())
        case 11: .blob(hash: [UInt8](repeating: UInt8(below(3)), count: 32), size: UInt64(below(3)))
        case 12: .position(owner: id(), key: OrderKey.between(nil, and: nil, by: id()))
        default: .group(["x": value(depth: depth + 1), "y": value(depth: depth + 1)])
        }
    }

    mutating func register(_ rule: MergeRule) -> Register {
        guard rule == .counter else {
            return .value(chance(50) ? .integer(Int64(below(3))) : value(), stamp())
        }
        var parts: [ReplicaID: Counter.Part] = [:]
        for _ in 0..<below(4) {
            let time = stamp().time
            parts[id()] = Counter.Part(total: .integer(pick([1, -4, .max, .min])), time: time)
        }
        return .counter(Counter(parts))
    }

    static let rules: [String: MergeRule] = [
        "a": .latest, "b": .counter, "c": .max, "d": .min, "e": .first, "f": .ask,
    ]

    mutating func item() -> ItemState {
        var registers: [String: Register] = [:]
        for (name, rule) in Self.rules.sorted(by: { $0.key < $1.key }) where chance(70) {
            registers[name] = register(rule)
        }
        return ItemState(
            entity: "Note", existence: Existence(length: UInt32(below(4)), stamp: stamp()), created: stamp(),
            alias: chance(20) ? id() : nil, registers: registers)
    }
}
