import Foundation
import Testing

/// Contexts that fetch, save and merge at the same time, in every order in which their queues can go on.
@Suite("Contexts that work at the same time")
struct InterleavingTests {
    // MARK: All orders

    /// The work of some threads, to be tried in every order.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let name: String
        let shape: Workplace.Shape
        let before: [Workplace.Block]
        let threads: [[Workplace.Block]]

        var testDescription: String { name }
    }

    /// How often a thread may be made to wait that could go on. Two threads have few orders, three have many.
    private static func preemptions(of scenario: Scenario) -> Int {
        let wanted = ProcessInfo.processInfo.environment["CORE_DATA_TEST_PREEMPTIONS"].flatMap { Int($0) }
        return wanted ?? (scenario.threads.count > 2 ? 0 : 1)
    }

    /// Tries one order after the other until one goes wrong.
    private func explore(_ scenario: Scenario) throws {
        let preemptions = Self.preemptions(of: scenario)
        var choices: [Int]? = []
        var count = 0
        while let next = choices {
            let plan = DecidedPlan(next)
            let workplace = try Workplace(scenario.shape, items: 2)
            if let fault = workplace.run(scenario.threads, after: scenario.before, plan) {
                Issue.record("order \(plan.decisions.map(\.choice)): \(fault)")
                return
            }
            count += 1
            choices = plan.following(preemptions: preemptions)
        }
        #expect(count > 1, "There is but one order.")
    }

    private static let unsaved: [Workplace.Block] = [
        .init(1, .insert, .regroup(2, to: 0), .insert, .regroup(3, to: 1), .save(.objectTrump))
    ]

    /// Everything that a context may be answered.
    private static let questions: [Workplace.Operation] = [
        .fetch(.objects), .fetch(.ofGroup(0)), .fetch(.filled), .fetch(.batched), .fetch(.refreshed),
        .fetch(.prefetched), .fetch(.ids), .fetch(.count), .fetch(.dictionaries), .fetchLater,
        .members(of: 0),
        .lookUp(2), .lookUp(3), .obtainIDs, .refreshAll, .refresh(2, keepsChanges: true), .merge, .rollBack,
    ]

    private static let answers: [Scenario] = questions.map { question in
        Scenario(
            name: "\(question)", shape: .init(name: "a nested context", parents: [nil, 0]), before: unsaved,
            threads: [
                [.init(1, question, .rename(2), .regroup(3, to: 0), .save(.objectTrump))],
                [.init(0, .save(.objectTrump))],
            ])
    }

    @Test(
        "A nested context has one object for an ID, also while its parent saves", arguments: answers)
    func asking(_ scenario: Scenario) throws { try explore(scenario) }

    private static let meetings: [Scenario] = [
        Scenario(
            name: "siblings of which one obtains IDs and one merges",
            shape: .init(name: "siblings", parents: [nil, 0, 0], merging: [2]), before: unsaved,
            threads: [
                [.init(1, .insert, .obtainIDs, .save(.objectTrump))], [.init(0, .save(.objectTrump))],
                [.init(2, .fetch(.objects), .rename(3), .save(.objectTrump))],
            ]),
        Scenario(
            name: "an ID is obtained of an object that the parent saves",
            shape: .init(name: "a nested context", parents: [nil, 0]), before: [.init(1, .insert)],
            threads: [
                [.init(1, .save(.objectTrump)), .init(1, .rename(2), .obtainIDs)],
                [.init(0, .save(.objectTrump)), .init(0, .save(.objectTrump), .lookUp(2))],
            ]),
        Scenario(
            name: "three levels", shape: .init(name: "three levels", parents: [nil, 0, 1]),
            before: [
                .init(2, .insert, .regroup(2, to: 0), .save(.objectTrump)), .init(1, .save(.objectTrump)),
            ],
            threads: [
                [.init(2, .fetch(.objects), .members(of: 0), .rename(2), .save(.objectTrump))],
                [.init(1, .rename(0), .save(.objectTrump))], [.init(0, .save(.objectTrump))],
            ]),
        Scenario(
            name: "what follows a nested context that merges",
            shape: .init(name: "followed", parents: [nil, 0], merging: [1], followed: [1]), before: unsaved,
            threads: [
                [.init(0, .rename(0), .delete(1), .insert, .save(.objectTrump))],
                [.init(1, .rename(0), .fetch(.objects), .save(.objectTrump))],
            ]),
        Scenario(
            name: "two beside each other that merge",
            shape: .init(name: "siblings", parents: [nil, nil], merging: [0, 1], followed: [0]),
            before: [.init(0, .fetch(.objects)), .init(1, .fetch(.objects))],
            threads: [
                [.init(0, .rename(0), .insert, .save(.objectTrump)), .init(0, .fetch(.refreshed))],
                [.init(1, .regroup(0, to: 1), .delete(1), .save(.storeTrump))],
            ]),
        Scenario(
            name: "one that is pinned",
            shape: .init(name: "pinned", parents: [nil, nil], pinned: [1]),
            before: [.init(0, .fetch(.objects))],
            threads: [
                [.init(0, .rename(0), .delete(1), .insert, .save(.objectTrump))],
                [.init(1, .fetch(.count), .fetch(.ids), .fetch(.objects), .fetch(.batched))],
            ]),
        Scenario(
            name: "a tree beside another",
            shape: .init(name: "trees", parents: [nil, 0, nil, 2], merging: [0, 3]),
            before: [.init(1, .insert, .save(.objectTrump)), .init(3, .fetch(.objects))],
            threads: [
                [.init(0, .save(.objectTrump))],
                [.init(1, .fetch(.objects), .rename(2), .save(.objectTrump))],
                [.init(3, .rename(0), .save(.objectTrump)), .init(2, .save(.objectTrump))],
            ]),
    ]

    @Test("Contexts of a tree have the expected objects while others save", arguments: meetings)
    func meeting(_ scenario: Scenario) throws { try explore(scenario) }

    // MARK: Random orders

    @Test(
        "Contexts have one object for an ID and the expected values, in any order of work",
        arguments: RandomRun.seeds)
    func random(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for number in 0..<RandomRun.casesPerModel {
            let program = RandomProgram(&random)
            let plan = RandomPlan(seed: random.next(), switching: random.pick([10, 30, 60]))
            let workplace = try Workplace(program.shape, items: 2)
            guard let fault = workplace.run(program.threads, after: program.before, plan) else { continue }
            Issue.record("seed \(seed), case \(number), \(program.shape.name): \(fault)\n\(program.threads)")
            return
        }
    }
}
