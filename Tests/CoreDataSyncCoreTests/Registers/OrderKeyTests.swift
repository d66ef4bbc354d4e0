import CoreDataSyncCore
import Testing

@Suite("Order keys")
struct OrderKeyTests {
    @Test("A key between two others lies between them, at any place", arguments: 0..<UInt64(200))
    func between(seed: UInt64) {
        var random = SeededGenerator(seed)
        var keys: [OrderKey] = []
        for _ in 0..<200 {
            let index = random.below(keys.count + 1)
            let low = index > 0 ? keys[index - 1] : nil
            let high = index < keys.count ? keys[index] : nil
            let key = OrderKey.between(low, and: high, by: random.id(of: 1000))
            #expect(low.map { $0 < key } ?? true)
            #expect(high.map { key < $0 } ?? true)
            #expect(OrderKey(bytes: key.bytes) == key)
            keys.insert(key, at: index)
        }
    }

    @Test("Keys at the ends stay short", arguments: [true, false])
    func ends(appends: Bool) {
        let replica = SyncID(high: 1, low: 0x0102)
        var key = OrderKey.between(nil, and: nil, by: replica)
        for _ in 0..<100_000 {
            let next = OrderKey.between(appends ? key : nil, and: appends ? nil : key, by: replica)
            guard appends ? key < next : next < key else {
                Issue.record("\(key.bytes), \(next.bytes)")
                return
            }
            key = next
        }
        #expect(key.bytes.count <= 6)
    }

    @Test("Many keys at one place rise and stay short")
    func many() {
        let replica = SyncID(high: 1, low: 0x0102)
        let (low, high) = (
            OrderKey.between(nil, and: nil, by: replica),
            OrderKey.between(nil, and: nil, by: SyncID(high: 1, low: 0x0103))
        )
        let keys = OrderKey.keys(1000, after: low, before: high, by: replica)
        #expect(keys.count == 1000)
        #expect(keys.sorted() == keys)
        #expect(Set(keys).count == 1000)
        #expect(low < keys[0] && keys[999] < high)
        #expect(keys.allSatisfy { $0.bytes.count <= 12 })
    }

    @Test("Forged keys are refused, or sort like others", arguments: 0..<UInt64(200))
    func forged(seed: UInt64) {
        var random = SeededGenerator(seed)
        let replica = random.id()
        for _ in 0..<100 {
            let extreme: [UInt8] = [0, 1, 120, 121, 127, 128, 135, 136, 254, 255]
            let keys = (0..<2).compactMap { _ in
                OrderKey(bytes: (0..<random.below(14)).map { _ in random.pick(extreme) })
            }.sorted()
            guard let first = keys.first, let last = keys.last else { continue }
            #expect(OrderKey.between(nil, and: first, by: replica) < first)
            #expect(OrderKey.between(last, and: nil, by: replica) > last)
            if first < last {
                let key = OrderKey.between(first, and: last, by: replica)
                #expect(first < key && key < last)
            }
        }
        #expect(OrderKey(bytes: []) == nil)
        #expect(OrderKey(bytes: [128, 1, 1, 0]) == nil)
    }

    @Test(
        "New keys put members in the wanted order and leave a longest run alone", arguments: 0..<UInt64(300))
    func plans(seed: UInt64) {
        var random = SeededGenerator(seed)
        let replica = random.id()
        let members = Array(0..<random.below(12))
        var keys = OrderPlan.changes(members: members, current: [:], by: replica)
        #expect(keys.count == members.count)
        var order = members
        for _ in 0..<10 where !order.isEmpty {
            // One move writes one key.
            let moved = order.remove(at: random.below(order.count))
            order.insert(moved, at: random.below(order.count + 1))
            let changes = OrderPlan.changes(members: order, current: keys, by: replica)
            #expect(changes.count <= 1)
            keys.merge(changes) { $1 }
            #expect(order.sorted { keys[$0]! < keys[$1]! } == order)
        }
        let shuffled = order.shuffled(using: &random)
        keys.merge(OrderPlan.changes(members: shuffled, current: keys, by: replica)) { $1 }
        #expect(shuffled.sorted { keys[$0]! < keys[$1]! } == shuffled)
    }

    @Test("Members with equal keys get new ones")
    func equalKeys() {
        let replica = SyncID(high: 1, low: 5)
        let key = OrderKey.between(nil, and: nil, by: replica)
        var keys = [1: key, 2: key, 3: key]
        keys.merge(OrderPlan.changes(members: [3, 1, 2], current: keys, by: replica)) { $1 }
        #expect([1, 2, 3].sorted { keys[$0]! < keys[$1]! } == [3, 1, 2])
    }
}
