import CoreDataSQL
import Testing

@Suite("Positions in ordered relationships")
struct OrderKeysTests {
    @Test("New members stand at 2048, 3072, …")
    func fresh() {
        #expect(OrderKeys.changes(members: [7, 8, 9], current: [:]) == [7: 2048, 8: 3072, 9: 4096])
    }

    @Test("A new first member gets 1024, one between two the midpoint, a new last one a step more")
    func inserts() {
        let current: [Int64: Int64] = [1: 2048, 2: 3072]
        #expect(OrderKeys.changes(members: [9, 1, 2], current: current) == [9: 1024])
        #expect(OrderKeys.changes(members: [1, 9, 2], current: current) == [9: 2560])
        #expect(OrderKeys.changes(members: [1, 2, 9], current: current) == [9: 4096])
    }

    @Test("Moving a member writes one position, an unchanged order none")
    func moves() {
        let current: [Int64: Int64] = [1: 2048, 2: 3072, 3: 4096, 4: 5120]
        #expect(OrderKeys.changes(members: [1, 2, 3, 4], current: current).isEmpty)
        #expect(OrderKeys.changes(members: [4, 1, 2, 3], current: current) == [4: 1024])
        #expect(OrderKeys.changes(members: [2, 3, 4, 1], current: current) == [1: 6144])
    }

    @Test("Without a gap between two positions, all positions are renumbered")
    func renumbering() {
        let current: [Int64: Int64] = [1: 11, 2: 12]
        #expect(OrderKeys.changes(members: [1, 9, 2], current: current) == [1: 2048, 9: 3072, 2: 4096])
    }

    @Test("Any shuffling keeps positions strictly increasing")
    func shuffles() {
        var generator = SeededGenerator(state: 7)
        var current: [Int64: Int64] = [:]
        var members = (1...40).map(Int64.init)
        for round in 0..<300 {
            if round % 3 == 0 {
                members.shuffle(using: &generator)
            } else {
                members.move(
                    from: Int.random(in: 0..<40, using: &generator),
                    to: Int.random(in: 0..<40, using: &generator))
            }
            current.merge(OrderKeys.changes(members: members, current: current)) { $1 }
            let positions = members.map { current[$0]! }
            #expect(zip(positions, positions.dropFirst()).allSatisfy(<))
        }
    }
}

extension Array {
    fileprivate mutating func move(from: Int, to: Int) {
        let element = remove(at: from)
        insert(element, at: to)
    }
}
