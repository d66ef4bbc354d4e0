import CoreDataSyncCore
import Testing

@Suite("Merging")
struct MergeTests {
    private func merge(_ first: ItemState, _ second: ItemState) -> ItemState {
        first.merged(with: second) { SeededGenerator.rules[$0]! }
    }

    @Test(
        "Registers merge to the same in any order, grouping and number", arguments: MergeRule.allCases)
    func registers(rule: MergeRule) {
        for seed in 0..<UInt64(3000) {
            var random = SeededGenerator(seed)
            let (a, b, c) = (random.register(rule), random.register(rule), random.register(rule))
            #expect(a.merged(with: b, rule) == b.merged(with: a, rule), "seed \(seed)")
            #expect(
                a.merged(with: b, rule).merged(with: c, rule)
                    == a.merged(with: b.merged(with: c, rule), rule),
                "seed \(seed)")
            #expect(a.merged(with: a, rule) == a, "seed \(seed)")
        }
    }

    @Test("Items merge to the same in any order, grouping and number")
    func items() {
        for seed in 0..<UInt64(3000) {
            var random = SeededGenerator(seed)
            let (a, b, c) = (random.item(), random.item(), random.item())
            #expect(merge(a, b) == merge(b, a), "seed \(seed)")
            #expect(merge(merge(a, b), c) == merge(a, merge(b, c)), "seed \(seed)")
            #expect(merge(a, a) == a, "seed \(seed)")
            #expect(merge(merge(a, b), b) == merge(a, b), "seed \(seed)")
        }
    }

    private func written(_ value: Int64, at milliseconds: UInt64) -> Register {
        .value(
            .integer(value),
            Stamp(time: HybridTime(milliseconds: milliseconds), replica: SyncID(high: 0, low: 1)))
    }

    @Test(
        "Each rule lets the write win that it names",
        arguments: [
            (MergeRule.latest, Int64(3)), (.ask, 3), (.max, 9), (.min, 3), (.first, 9),
        ])
    func rules(rule: MergeRule, winner: Int64) {
        #expect(written(9, at: 1).merged(with: written(3, at: 2), rule).value == .integer(winner))
    }

    @Test("Null is no minimum")
    func nullIsNoMinimum() {
        let null = Register.value(
            .null, Stamp(time: HybridTime(milliseconds: 9), replica: SyncID(high: 0, low: 1)))
        #expect(null.merged(with: written(3, at: 2), .min).value == .integer(3))
    }

    @Test("A counter adds what all replicas added, and stops at the ends of its type")
    func counters() {
        func counter(_ totals: [Int64]) -> Counter {
            var parts: [ReplicaID: Counter.Part] = [:]
            for (index, total) in totals.enumerated() {
                parts[SyncID(high: 0, low: UInt64(index))] = .init(total: .integer(total), time: .zero)
            }
            return Counter(parts)
        }
        #expect(counter([3, -1, 40]).sum == .integer(42))
        #expect(counter([.max, 5]).sum == .integer(.max))
        #expect(counter([.max, 5, -5]).sum == .integer(.max))
        #expect(counter([.min, -5, 4]).sum == .integer(.min + 0))
        #expect(counter([.max, .max, .min, .min]).sum == .integer(-2))
        #expect(counter([]).sum == .integer(0))
    }

    @Test("A counter of decimals adds without rounding")
    func decimals() {
        let half = Counter.Part(total: .decimal(CanonicalDecimal("0.1")!), time: .zero)
        let counter = Counter([SyncID(high: 0, low: 1): half, SyncID(high: 0, low: 2): half])
        #expect(counter.sum == .decimal(CanonicalDecimal("0.2")!))
    }

    @Test("A delete, a restore and a delete in any order end deleted")
    func existence() {
        let stamp = Stamp(time: .zero, replica: SyncID(high: 0, low: 1))
        let lives = (1...4).map { Existence(length: $0, stamp: stamp) }
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let merged = order.map { lives[$0] }.reduce(lives[0]) { $0.merged(with: $1) }
            #expect(merged.length == 4)
            #expect(!merged.isAlive)
        }
    }

    @Test("The digest of a zone tells whether two copies have seen the same writes")
    func digest() {
        for seed in 0..<UInt64(300) {
            var random = SeededGenerator(seed)
            var (first, second) = (ZoneDigest(), ZoneDigest())
            let items = (0..<6).map { (ItemKey.object(SyncID(high: 1, low: $0)), random.item()) }
            for (key, state) in items { first.toggle(key, state) }
            for (key, state) in items.shuffled(using: &random) { second.toggle(key, state) }
            #expect(first == second)
            let (key, state) = random.pick(items)
            var changed = state
            let register = Register.value(.integer(1), Stamp(time: .latest, replica: random.id()))
            changed.merge(register, as: "a", .latest)
            second.toggle(key, state)
            second.toggle(key, changed)
            #expect((first == second) == !state.isAlive, "seed \(seed)")
        }
    }
}
