import Foundation
import Testing

@testable import CoreData

private final class Item: CustomStringConvertible {
    let number: Int
    var section: Int
    var rank: Int
    var isIn = true

    init(_ number: Int, section: Int, rank: Int) {
        (self.number, self.section, self.rank) = (number, section, rank)
    }

    var name: String { "S\(section)" }
    var description: String { "\(number)(\(name), \(rank))" }

    /// Items with equal ranks have no order.
    static func order(_ left: Item, _ right: Item) -> Int {
        left.section != right.section ? left.section - right.section : left.rank - right.rank
    }
}

/// Returns the list after the changes, compared with a new list.
@Suite("Result lists")
struct ResultListTests {
    private typealias List = ResultList<Item>
    private typealias Update = ResultListUpdate<Item>
    private typealias Mirror = TableMirror<Int>

    private func list(_ items: [Item], isSectioned: Bool) -> List {
        let sorted = items.filter(\.isIn).sorted { Item.order($0, $1) < 0 }
        guard isSectioned else { return List(sorted) }
        return (try? List(sorted, sectionName: \.name)) ?? List([])
    }

    private func mirror(_ list: List) -> Mirror {
        Mirror(sections: list.sections.map { .init(name: $0.name, rows: $0.elements.map(\.number)) })
    }

    private func batch(_ changes: ResultChanges<Item>) -> Mirror.Batch {
        Mirror.Batch(
            deletedSections: changes.removedSections.map(\.index),
            insertedSections: changes.insertedSections.map { ($0.index, $0.section.name) },
            deleted: changes.removed.map { IndexPath($0.position) },
            inserted: changes.inserted.map { (IndexPath($0.position), $0.element.number) },
            moved: changes.moved.map { (IndexPath($0.from), IndexPath($0.to), $0.element.number) },
            updated: changes.updated.map { (IndexPath($0.from), IndexPath($0.to), $0.element.number) })
    }

    private func change(_ item: Item, isSectioned: Bool) -> Update.Change {
        Update.Change(element: item, section: item.isIn ? (isSectioned ? item.name : "") : nil)
    }

    /// Checks that the list is sorted, in sections of one name each, with the elements of a new list.
    private func isRight(_ list: List, _ expected: List) -> Bool {
        guard list.sections.map(\.name) == expected.sections.map(\.name) else { return false }
        return zip(list.sections, expected.sections).allSatisfy { own, other in
            own.elements.map { [$0.section, $0.rank] } == other.elements.map { [$0.section, $0.rank] }
                && Set(own.elements.map(\.number)) == Set(other.elements.map(\.number))
        }
    }

    @Test("A list view that applies every batch shows what a new list would", arguments: [false, true])
    func randomBatches(isSectioned: Bool) throws {
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let sectionCount = random.number(1...6)
            let rankCount = random.pick([3, 20, 1000])
            func item(_ number: Int) -> Item {
                Item(number, section: random.number(1...sectionCount), rank: random.number(1...rankCount))
            }
            var items = (0..<random.number(0...30)).map(item)
            var current = list(items, isSectioned: isSectioned)
            var shown = mirror(current)
            for round in 0..<60 {
                var touched: [Item] = []
                for _ in 0..<random.pick([1, 1, 2, 5, 20]) {
                    let known = items.randomElement(using: &random)
                    switch random.number(0...9) {
                    case 0...2:
                        items.append(item(items.count))
                        touched.append(items[items.count - 1])
                    case 3...4: known?.isIn.toggle()
                    case 5...6: known?.rank = random.number(1...rankCount)
                    case 7: known?.section = random.number(1...sectionCount)
                    default: break
                    }
                    if let known { touched.append(known) }
                }
                var seen: Set<Int> = []
                let changes = touched.filter { seen.insert($0.number).inserted }
                    .map { change($0, isSectioned: isSectioned) }
                let expected = list(items, isSectioned: isSectioned)
                guard let update = try Update.applying(changes, to: current, order: Item.order) else {
                    #expect(isRight(current, expected), "seed \(seed), round \(round)")
                    continue
                }
                current = update.list
                let isApplied = shown.apply(batch(update.changes))
                guard isApplied, shown == mirror(current), isRight(current, expected) else {
                    Issue.record(
                        """
                        seed \(seed), round \(round), applied: \(isApplied)
                        shown \(shown)
                        list \(current.sections)
                        expected \(expected.sections)
                        """)
                    return
                }
            }
        }
    }

    @Test("Batches lead to the new list even if the order contradicts itself")
    func contradictions() throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let items = (0..<25).map { Item($0, section: random.number(1...4), rank: random.number(1...50)) }
            var current = list(items, isSectioned: true)
            var shown = mirror(current)
            for round in 0..<40 {
                // Most items change without being reported.
                for item in items {
                    (item.section, item.rank) = (random.number(1...4), random.number(1...50))
                }
                let changes = items.shuffled(using: &random).prefix(3).map { item in
                    item.isIn = random.chance(70)
                    return change(item, isSectioned: true)
                }
                guard let update = try Update.applying(changes, to: current, order: Item.order) else {
                    continue
                }
                current = update.list
                let isApplied = shown.apply(batch(update.changes))
                #expect(isApplied, "seed \(seed), round \(round)")
                #expect(shown == mirror(current), "seed \(seed), round \(round)")
                #expect(Set(shown.sections.map(\.name)).count == shown.sections.count)
            }
        }
    }

    @Test("The difference of two lists leads from one to the other", arguments: [false, true])
    func difference(isSectioned: Bool) throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let items = (0..<20).map { Item($0, section: random.number(1...4), rank: random.number(1...50)) }
            for item in items { item.isIn = random.chance(70) }
            let old = list(items, isSectioned: isSectioned)
            var touched: Set<ObjectIdentifier> = []
            for item in items where random.chance(30) {
                (item.section, item.rank) = (random.number(1...4), random.number(1...50))
                item.isIn = random.chance(70)
                if random.chance(80) { touched.insert(ObjectIdentifier(item)) }
            }
            let new = list(items, isSectioned: isSectioned)
            var shown = mirror(old)
            if let update = try Update.difference(from: old, to: new, touched: touched) {
                #expect(update.list == new)
                let isApplied = shown.apply(batch(update.changes))
                #expect(isApplied, "seed \(seed)")
            }
            #expect(shown == mirror(new), "seed \(seed)")
        }
    }

    // MARK: One by one

    private let items = [1, 2, 3, 4, 5].map { Item($0, section: 1, rank: $0 * 10) }

    private func applied(_ changed: [Item], isSectioned: Bool = false, _ edit: () -> Void) throws
        -> ResultChanges<Item>?
    {
        let old = list(items, isSectioned: isSectioned)
        edit()
        return try Update.applying(
            changed.map { change($0, isSectioned: isSectioned) }, to: old, order: Item.order)?.changes
    }

    @Test("An element that keeps its relative place is updated, another one is moved")
    func updateOrMove() throws {
        let update = try #require(try applied([items[1]]) { items[1].rank = 29 })
        #expect(update.moved.isEmpty)
        #expect(update.updated.map(\.to.row) == [1])
        let move = try #require(try applied([items[1]]) { items[1].rank = 45 })
        #expect(move.updated.isEmpty)
        #expect(move.moved.map(\.from.row) == [1])
        #expect(move.moved.map(\.to.row) == [3])
    }

    @Test("Elements shifted by others are not moved")
    func shifted() throws {
        let changes = try #require(
            try applied([items[0], items[3]]) {
                items[0].isIn = false
                items[3].rank = 41
            })
        #expect(changes.removed.map(\.position.row) == [0])
        #expect(changes.moved.isEmpty)
        #expect(changes.updated.map(\.from.row) == [3])
        #expect(changes.updated.map(\.to.row) == [2])
    }

    @Test("Elements that compare equal keep their order")
    func ties() throws {
        for item in items { item.rank = 7 }
        let changes = try #require(try applied([items[2], items[0]]) {})
        #expect(changes.moved.isEmpty)
        #expect(changes.updated.map(\.from.row) == [0, 2])
    }

    @Test("The last element removed removes its section, and the first one added adds it")
    func sections() throws {
        items[4].section = 2
        let changes = try #require(try applied([items[4]], isSectioned: true) { items[4].section = 3 })
        #expect(changes.removedSections.map(\.section.name) == ["S2"])
        #expect(changes.insertedSections.map(\.section.name) == ["S3"])
        #expect(changes.moved.map(\.from) == [ResultPosition(section: 1, row: 0)])
        #expect(changes.moved.map(\.to) == [ResultPosition(section: 1, row: 0)])
    }

    @Test("A section whose elements are all replaced stays")
    func exchangedSection() throws {
        for item in items[3...] { item.section = 2 }
        let changes = try #require(
            try applied(items, isSectioned: true) {
                for item in items { item.section = 3 - item.section }
            })
        #expect(changes.removedSections.isEmpty)
        #expect(changes.insertedSections.isEmpty)
        #expect(changes.moved.count == 5)
    }

    @Test("Changes of elements outside of the list are ignored")
    func strangers() throws {
        let stranger = Item(9, section: 1, rank: 1)
        stranger.isIn = false
        #expect(try applied([stranger]) {} == nil)
    }

    @Test("A section that appears twice is out of order")
    func outOfOrder() {
        items[1].section = 2
        #expect(throws: List.OutOfOrder.self) { try List(items, sectionName: \.name) }
    }
}
