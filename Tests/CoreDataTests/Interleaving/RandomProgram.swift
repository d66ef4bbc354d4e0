import Foundation

/// Random work of threads, by seed.
struct RandomProgram: Sendable {
    let shape: Workplace.Shape
    /// Done before the threads begin.
    let before: [Workplace.Block]
    let threads: [[Workplace.Block]]

    static let shapes: [Workplace.Shape] = [
        .init(name: "a nested context", parents: [nil, 0]),
        .init(
            name: "a nested context that merges and is followed", parents: [nil, 0], merging: [1],
            followed: [1]),
        .init(name: "siblings", parents: [nil, 0, 0], merging: [2]),
        .init(name: "a followed parent of two", parents: [nil, 0, 0], merging: [1], followed: [0, 1]),
        .init(name: "three levels", parents: [nil, 0, 1]),
        .init(name: "three levels that merge", parents: [nil, 0, 1], merging: [1, 2], followed: [2]),
        .init(name: "two beside each other", parents: [nil, nil]),
        .init(name: "two that merge", parents: [nil, nil], merging: [0, 1], followed: [1]),
        .init(name: "one that is pinned", parents: [nil, nil], pinned: [1]),
        .init(name: "one that is pinned and merges", parents: [nil, nil], merging: [1], pinned: [1]),
        .init(name: "a nested context beside another", parents: [nil, 0, nil], merging: [1, 2]),
        .init(name: "a tree beside another", parents: [nil, 0, nil, 2], merging: [0, 3]),
        .init(name: "a tree of four", parents: [nil, 0, 0, 1], merging: [3], followed: [2]),
    ]

    init(_ random: inout SeededGenerator) {
        shape = random.pick(Self.shapes)
        let count = shape.parents.count
        before = (0..<random.number(0...3)).map { _ in
            Workplace.Block(random.number(0...(count - 1)), waits: true, Self.operations(&random))
        }
        threads = (0..<random.number(2...3)).map { _ in
            (0..<random.number(1...3)).map { _ in
                Workplace.Block(
                    random.number(0...(count - 1)), waits: random.chance(75), Self.operations(&random))
            }
        }
    }

    private static func operations(_ random: inout SeededGenerator) -> [Workplace.Operation] {
        var operations = (0..<random.number(1...3)).map { _ in operation(&random) }
        if random.chance(50) {
            operations.append(.save(random.pick([.objectTrump, .storeTrump, .overwrite])))
        }
        return operations
    }

    private static func operation(_ random: inout SeededGenerator) -> Workplace.Operation {
        let number = random.number(0...7)
        return switch random.number(0...99) {
        case 0..<14: .insert
        case 14..<24: .rename(number)
        case 24..<34: .regroup(number, to: number % 3 - 1)
        case 34..<39: .delete(number)
        case 39..<46: .save(random.pick([.objectTrump, .storeTrump, .overwrite, .rollback]))
        case 46..<66: .fetch(fetch(&random))
        case 66..<68: .fetchLater
        case 68..<75: .members(of: number)
        case 75..<81: .lookUp(number)
        case 81..<86: .obtainIDs
        case 86..<90: .refresh(number, keepsChanges: random.chance(50))
        case 90..<92: .refreshAll
        case 92..<94: .rollBack
        case 94..<95: .reset
        default: .merge
        }
    }

    private static func fetch(_ random: inout SeededGenerator) -> Workplace.Fetch {
        switch random.number(0...9) {
        case 0...2: .objects
        case 3: .ofGroup(random.number(0...1))
        case 4: .filled
        case 5: .batched
        case 6: .refreshed
        case 7: .prefetched
        case 8: .ids
        default: random.chance(50) ? .count : .dictionaries
        }
    }
}
