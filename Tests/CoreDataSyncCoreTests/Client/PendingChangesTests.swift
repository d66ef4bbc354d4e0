import CoreDataSyncCore
import Testing

@Suite("Changes that wait to be pushed")
struct PendingChangesTests {
    private func change(_ id: UInt64, _ register: String, _ value: Int64, _ number: UInt64) -> PendingChange {
        let stamp = Stamp(time: HybridTime(milliseconds: number), replica: Zone.device(1))
        return PendingChange(
            Change(
                number: number, item: .object(Zone.id(id)), entity: "Book",
                edit: .set(register, .integer(value)), stamp: stamp), milliseconds: number)
    }

    @Test("The last change of a register is found, whatever is appended, taken and removed")
    func lookups() {
        for seed in UInt64(1)...200 {
            var random = SeededGenerator(seed)
            var queue = PendingChanges()
            var expected: [PendingChange] = []
            for number in UInt64(1)...40 {
                switch random.below(8) {
                case 0:
                    let count = random.below(4)
                    #expect(queue.takeFirst(count) == Array(expected.prefix(count)))
                    expected.removeFirst(min(count, expected.count))
                case 1:
                    let items: Set<ItemKey> = [.object(Zone.id(UInt64(random.below(3))))]
                    queue.removeAll(of: items)
                    expected.removeAll { items.contains($0.change.item) }
                default:
                    let next = change(UInt64(random.below(3)), random.pick(["a", "b"]), 0, number)
                    queue.append(next)
                    expected.append(next)
                }
                #expect(Array(queue.changes) == expected)
                for id in UInt64(0)..<3 {
                    for name in ["a", "b"] {
                        let key = ItemKey.object(Zone.id(id))
                        let last = expected.last { $0.change.item == key && $0.change.register == name }
                        #expect(queue[key, name] == last, "seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("A file has the changes that wait if it takes those that are said to be others since the last time")
    func writes() {
        for seed in UInt64(1)...200 {
            var random = SeededGenerator(seed)
            var queue = PendingChanges()
            var taken: [PendingChange] = []
            var file: [UInt64: PendingChange] = [:]
            for number in UInt64(1)...60 {
                switch random.below(10) {
                case 0: taken = queue.takeFirst(random.below(4))
                case 1: queue.removeAll(of: [.object(Zone.id(UInt64(random.below(3))))])
                case 2:
                    // A push that is split gives back what it took.
                    queue.replace(with: taken + queue.changes)
                    taken = []
                case 3: queue[.object(Zone.id(0)), "a"]?.milliseconds += 1
                case 4, 5:
                    for (number, change, isInFile) in queue.takeWrites() {
                        #expect(isInFile == (file[number] != nil), "seed \(seed)")
                        file[number] = change
                    }
                    let expected = queue.changes.map { ($0.change.number, $0) }
                    #expect(file == Dictionary(expected) { $1 }, "seed \(seed)")
                    #expect(queue.takeWrites().isEmpty)
                default:
                    queue.append(change(UInt64(random.below(3)), random.pick(["a", "b"]), 0, number))
                }
            }
        }
    }

    /// The changes that a file has.
    private struct File: StoredChanges {
        var changes: [UInt64: PendingChange] = [:]

        var count: Int { changes.count }
        private var all: [PendingChange] { changes.sorted { $0.key < $1.key }.map(\.value) }
        func first(_ count: Int) -> [PendingChange] { Array(all.prefix(count)) }
        func changes(of item: ItemKey) -> [PendingChange] { all.filter { $0.change.item == item } }
        func load(_ items: some Sequence<ItemKey>) {}
    }

    @Test("Changes that a file has are taken, found, replaced and removed like those in memory")
    func changesInFile() {
        for seed in UInt64(1)...300 {
            var random = SeededGenerator(seed)
            var file = File()
            var queue = PendingChanges()
            var whole = PendingChanges()
            var taken: [PendingChange] = []
            for number in UInt64(1)...80 {
                let item = ItemKey.object(Zone.id(UInt64(random.below(4))))
                switch random.below(12) {
                case 0:
                    let (count, bytes) = (random.below(5), random.pick([200, .max]))
                    taken = queue.takeFirst(count, bytes: bytes)
                    #expect(taken == whole.takeFirst(count, bytes: bytes), "seed \(seed)")
                case 1:
                    queue.removeAll(of: [item])
                    whole.removeAll(of: [item])
                case 2:
                    queue.replace(with: taken + queue.changes)
                    whole.replace(with: taken + whole.changes)
                    taken = []
                case 3:
                    queue[item, "a"]?.milliseconds += 1
                    whole[item, "a"]?.milliseconds += 1
                case 4, 5:
                    for (number, change, isInFile) in queue.takeWrites() {
                        #expect(isInFile == (file.changes[number] != nil), "seed \(seed)")
                        file.changes[number] = change
                    }
                    // Sometimes the file takes it later, and what is written is still in memory.
                    if random.chance(60) { queue = PendingChanges(after: file) }
                default:
                    let next = change(UInt64(random.below(4)), random.pick(["a", "b"]), 0, number)
                    queue.append(next)
                    whole.append(next)
                }
                #expect(queue.changes == whole.changes, "seed \(seed)")
                #expect(queue.count == whole.count && queue.isEmpty == whole.isEmpty, "seed \(seed)")
                #expect(queue.changes(of: item) == whole.changes(of: item), "seed \(seed)")
                for name in ["a", "b"] { #expect(queue[item, name] == whole[item, name], "seed \(seed)") }
            }
        }
    }

    @Test("A push has to write what it took, however much waits")
    func writesOfPush() {
        var queue = PendingChanges((UInt64(1)...1000).map { change($0, "a", 0, $0) })
        #expect(queue.takeWrites().count == 1000)
        for _ in 0..<20 {
            #expect(queue.takeFirst(10).count == 10)
            #expect(queue.takeWrites().count == 10)
        }
    }

    @Test("As many changes are taken as fit into a number of bytes, and one whatever it has")
    func bytes() {
        let text = SyncValue.string(String(repeating: "x", count: 1000))
        var queue = PendingChanges(
            (UInt64(1)...6).map { number in
                var waiting = change(number, "a", 0, number)
                waiting.change.edit = .set("a", text)
                return waiting
            })
        #expect(queue.takeFirst(6, bytes: 2900).count == 2)
        #expect(queue.takeFirst(6, bytes: 10).count == 1)
        #expect(queue.takeFirst(2, bytes: 1 << 20).count == 2)
        #expect(queue.takeFirst(6).count == 1)
    }

    @Test("No change takes more bytes than are reckoned without writing it")
    func bounds() {
        var random = SeededGenerator(7)
        for _ in 0..<2000 {
            let name = String(repeating: "n", count: random.below(90))
            let edits: [Change.Edit] = [
                .existence(.max - 2, seen: .max), .set(name, random.value()), .count(name, .integer(.min)),
                .merged(into: random.id()),
            ]
            let stamp = Stamp(time: .latest, replica: random.id())
            let change = Change(
                number: .max,
                item: random.chance(50) ? .object(random.id()) : .pair(name, stamp.replica, stamp.replica),
                entity: name, edit: random.pick(edits), stamp: stamp, base: stamp)
            #expect(change.byteCount <= change.byteBound, "\(change)")
        }
    }

    @Test("A change that is folded stays in its place")
    func folding() {
        var queue = PendingChanges([change(1, "a", 1, 1), change(2, "a", 2, 2)])
        queue[.object(Zone.id(1)), "a"] = change(1, "a", 3, 1)
        #expect(Array(queue.changes) == [change(1, "a", 3, 1), change(2, "a", 2, 2)])
    }
}
