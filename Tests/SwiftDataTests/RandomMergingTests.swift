#if SwiftData
import SwiftData
import Testing

@Suite("Random work in several contexts")
struct RandomMergingTests {
    /// `CORE_DATA_TEST_CASES` and `CORE_DATA_TEST_SEED` make a run longer and replay a failure.
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1
        return (0..<(environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? 6)).map { first + $0 }
    }()

    @Test("Contexts show what they changed on top of what all have saved, and agree once all have saved")
    func agreement() throws {
        for seed in Self.seeds {
            var work = try RandomWork(seed: seed)
            try work.run(steps: 60)
            if let mistake = try work.mistake {
                Issue.record("seed \(seed): \(mistake)")
                return
            }
        }
    }
}

/// Random changes in three contexts, and what they should lead to.
private struct RandomWork {
    /// The values of one object.
    struct Values: Equatable {
        var text: Int
        var count: Int
    }

    /// A context, what it has changed since its last save, and the models that the test holds.
    struct Desk {
        let context: ModelContext
        var models: [Int: Leaf] = [:]
        var texts: [Int: Int] = [:]
        var counts: [Int: Int] = [:]
        var inserted: [Int: Values] = [:]
        var deleted: Set<Int> = []

        func view(of saved: [Int: Values]) -> [Int: Values] {
            var view = saved.merging(inserted) { $1 }
            for label in deleted { view[label] = nil }
            for (label, text) in texts { view[label]?.text = text }
            for (label, count) in counts { view[label]?.count = count }
            return view
        }

        mutating func forget() { (texts, counts, inserted, deleted) = ([:], [:], [:], []) }
    }

    private var random: RandomNumbers
    private var desks: [Desk]
    private var saved: [Int: Values] = [:]
    private var next = 0
    private(set) var failures: [String] = []

    init(seed: UInt64) throws {
        random = RandomNumbers(state: seed)
        let container = try memoryContainer(Leaf.self)
        desks = (0..<3).map { _ in Desk(context: ModelContext(container)) }
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps where failures.isEmpty {
            let desk = Int.random(in: 0..<desks.count, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<4: insert(at: desk)
            case 4..<9: change(at: desk)
            case 9..<11: delete(at: desk)
            case 11..<12: try deleteAtOnce(at: desk)
            case 12..<15: try save(at: desk)
            case 15..<16: rollback(at: desk)
            default: try fetch(at: desk)
            }
        }
    }

    /// What is wrong; nil for nothing. Saves all changes.
    var mistake: String? {
        mutating get throws {
            if let first = failures.first { return first }
            for desk in desks.indices { try save(at: desk) }
            for desk in desks.indices { try fetch(at: desk) }
            if desks.contains(where: \.context.hasChanges) {
                failures.append("a context has changes at the end")
            }
            return failures.first
        }
    }

    private mutating func fresh() -> Int {
        next += 1
        return next
    }

    private mutating func insert(at desk: Int) {
        let (label, values) = (fresh(), Values(text: fresh(), count: fresh()))
        let leaf = Leaf(label: label, text: "\(values.text)", count: values.count)
        desks[desk].context.insert(leaf)
        desks[desk].models[label] = leaf
        desks[desk].inserted[label] = values
    }

    /// Returns a model that the context does not know to be gone.
    private mutating func pick(at desk: Int) -> (Int, Leaf)? {
        desks[desk].models.filter { !$0.value.isDeleted }.sorted { $0.key < $1.key }
            .randomElement(using: &random).map { ($0.key, $0.value) }
    }

    private mutating func change(at desk: Int) {
        guard let (label, leaf) = pick(at: desk) else { return }
        if Bool.random(using: &random) {
            let text = fresh()
            leaf.text = "\(text)"
            if desks[desk].inserted[label] == nil { desks[desk].texts[label] = text }
            desks[desk].inserted[label]?.text = text
        } else {
            let count = fresh()
            leaf.count = count
            if desks[desk].inserted[label] == nil { desks[desk].counts[label] = count }
            desks[desk].inserted[label]?.count = count
        }
    }

    private mutating func delete(at desk: Int) {
        guard let (label, leaf) = pick(at: desk) else { return }
        desks[desk].context.delete(leaf)
        if desks[desk].inserted.removeValue(forKey: label) == nil { desks[desk].deleted.insert(label) }
        desks[desk].models[label] = nil
    }

    private mutating func deleteAtOnce(at desk: Int) throws {
        guard let bound = saved.values.map(\.count).randomElement(using: &random) else { return }
        try desks[desk].context.delete(model: Leaf.self, where: #Predicate { $0.count == bound })
        saved = saved.filter { $0.value.count != bound }
    }

    private mutating func save(at desk: Int) throws {
        try desks[desk].context.save()
        saved = desks[desk].view(of: saved)
        desks[desk].forget()
    }

    private mutating func rollback(at desk: Int) {
        desks[desk].context.rollback()
        for label in desks[desk].inserted.keys { desks[desk].models[label] = nil }
        desks[desk].forget()
    }

    private mutating func fetch(at desk: Int) throws {
        let found = try desks[desk].context.fetch(FetchDescriptor<Leaf>())
        for leaf in found {
            if let known = desks[desk].models[leaf.label], known !== leaf {
                failures.append("two models of \(leaf.label) in one context")
            }
            // Some models are held from now on, others are made again.
            if Bool.random(using: &random) { desks[desk].models[leaf.label] = leaf }
        }
        let values = Dictionary(
            found.map { ($0.label, Values(text: Int($0.text) ?? -1, count: $0.count)) }
        ) { first, _ in first }
        let expected = desks[desk].view(of: saved)
        if values != expected || values.count != found.count {
            failures.append("the context \(desk) has \(values) instead of \(expected)")
        }
        for (label, leaf) in desks[desk].models where leaf.isDeleted != (expected[label] == nil) {
            failures.append("\(label) does not know whether it is deleted")
        }
        for leaf in desks[desk].models.values where leaf.isDeleted && leaf.text.isEmpty {
            failures.append("\(leaf.label) lost its values")
        }
    }
}

/// Numbers that follow from a seed.
struct RandomNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

@Model
final class Leaf {
    var label: Int
    var text: String
    var count: Int

    init(label: Int, text: String, count: Int) {
        (self.label, self.text, self.count) = (label, text, count)
    }
}
#endif
