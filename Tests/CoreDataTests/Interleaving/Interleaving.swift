import Foundation

/// Threads of which one at a time runs. Where a thread enters or leaves a queue, or calls `step`, a plan
/// decides which thread runs next, so that a run can be reproduced.
///
/// Queues are this type's own: a thread that waits for one is known to wait, and a run in which no thread can
/// continue ends. Everything here is used by the running thread, or before and after the run.
final class Interleaving: @unchecked Sendable {
    /// One of the threads.
    final class Strand: @unchecked Sendable {
        let name: String
        fileprivate let body: () -> Void
        fileprivate let turn = DispatchSemaphore(value: 0)
        fileprivate var isStarted = false
        /// The queue that it waits for.
        fileprivate var waiting: Queue?
        /// The thread's task, for the use of the test.
        var task: AnyObject?

        fileprivate init(_ name: String, _ body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }

        fileprivate var canGoOn: Bool {
            guard let waiting else { return true }
            return waiting.holder == nil && waiting.line.first === self
        }
    }

    /// A serial queue: threads are served in the order in which they come.
    final class Queue {
        let name: String
        fileprivate var holder: Strand?
        fileprivate var line: [Strand] = []

        init(_ name: String) { self.name = name }
    }

    private var plan: any InterleavingPlan = DecidedPlan([])
    private var strands: [Strand] = []
    private let end = DispatchSemaphore(value: 0)
    private(set) var isRunning = false
    /// Whose turn it is.
    private(set) var current: Strand?
    /// The threads and the queues that they wait for, after a run in which no thread could continue.
    private(set) var deadlock: String?

    func add(_ name: String, _ body: @escaping () -> Void) {
        strands.append(Strand(name, body))
    }

    /// Has all threads run until their ends, and those that they start.
    func run(_ plan: any InterleavingPlan) {
        guard !strands.isEmpty else { return }
        self.plan = plan
        isRunning = true
        start(strands[plan.choose(among: strands.count, isPreemption: false)])
        end.wait()
        isRunning = false
        current = nil
    }

    // MARK: Where threads hand over

    /// A place where another thread may go on first.
    func step() {
        guard isRunning, let present = current else { return }
        let others = strands.filter { $0 !== present && $0.canGoOn }
        if others.isEmpty { return }
        let choice = plan.choose(among: others.count + 1, isPreemption: true)
        if choice > 0 { handOver(to: others[choice - 1]) }
    }

    func enter(_ queue: Queue) {
        step()
        guard isRunning, let present = current else { return }
        if queue.holder == nil, queue.line.isEmpty {
            queue.holder = present
            return
        }
        present.waiting = queue
        queue.line.append(present)
        guard let next = next() else { return Thread.exit() }
        handOver(to: next)
    }

    func leave(_ queue: Queue) {
        guard isRunning else { return }
        queue.holder = nil
        step()
    }

    /// Has a thread of its own run a block when it is its turn on a queue.
    func enqueue(_ name: String, on queue: Queue, task: AnyObject? = nil, _ block: @escaping () -> Void) {
        guard isRunning else { return block() }
        let strand = Strand(name) {
            block()
            queue.holder = nil
        }
        strand.task = task
        strand.waiting = queue
        queue.line.append(strand)
        strands.append(strand)
        step()
    }

    // MARK: Turns

    /// Returns one of the threads that can run, or nil if there is none, which ends the run.
    private func next() -> Strand? {
        let able = strands.filter(\.canGoOn)
        if !able.isEmpty { return able[plan.choose(among: able.count, isPreemption: false)] }
        if !strands.isEmpty {
            deadlock = strands.map { "\($0.name) waits for \($0.waiting?.name ?? "nothing")" }
                .joined(separator: ", ")
        }
        end.signal()
        return nil
    }

    private func handOver(to next: Strand) {
        guard let present = current, next !== present else { return take(next) }
        start(next)
        present.turn.wait()
    }

    private func take(_ strand: Strand) {
        current = strand
        guard let queue = strand.waiting else { return }
        strand.waiting = nil
        queue.line.removeFirst()
        queue.holder = strand
    }

    private func start(_ strand: Strand) {
        take(strand)
        if strand.isStarted {
            strand.turn.signal()
            return
        }
        strand.isStarted = true
        let thread = Thread { [self] in
            strand.body()
            strands.removeAll { $0 === strand }
            if let next = next() { start(next) }
        }
        thread.stackSize = 1 << 20
        thread.start()
    }
}

/// Decides which thread runs next.
protocol InterleavingPlan: AnyObject {
    /// - Parameter isPreemption: Whether the first is the one that goes on already, and could.
    func choose(among count: Int, isPreemption: Bool) -> Int
}

/// The given decisions of a run, one after the other; after the last one, the running thread continues.
final class DecidedPlan: InterleavingPlan {
    struct Decision {
        let choice: Int
        let count: Int
        let isPreemption: Bool
    }

    private let choices: [Int]
    private(set) var decisions: [Decision] = []

    init(_ choices: [Int]) { self.choices = choices }

    func choose(among count: Int, isPreemption: Bool) -> Int {
        let wanted = decisions.count < choices.count ? choices[decisions.count] : 0
        let choice = min(wanted, count - 1)
        decisions.append(Decision(choice: choice, count: count, isPreemption: isPreemption))
        return choice
    }

    /// Returns the decisions of the next run with at most so many preemptions, if there is one: the last
    /// decision that can change is changed.
    func following(preemptions bound: Int) -> [Int]? {
        var preemptions = decisions.count { $0.isPreemption && $0.choice > 0 }
        var rest = decisions
        while let last = rest.popLast() {
            if last.isPreemption, last.choice > 0 { preemptions -= 1 }
            guard last.choice + 1 < last.count, !last.isPreemption || preemptions < bound else { continue }
            return rest.map(\.choice) + [last.choice + 1]
        }
        return nil
    }
}

/// Decisions by seed.
final class RandomPlan: InterleavingPlan {
    private var random: SeededGenerator
    /// How often of a hundred times another one goes on.
    private let switching: Int

    init(seed: UInt64, switching: Int) {
        random = SeededGenerator(seed: seed)
        self.switching = switching
    }

    func choose(among count: Int, isPreemption: Bool) -> Int {
        if count == 1 { return 0 }
        if isPreemption { return random.chance(switching) ? random.number(1...(count - 1)) : 0 }
        return random.number(0...(count - 1))
    }
}
