import RawLoops

/// A bound for a variant's value: relative to another variant's value, or absolute.
struct Goal {
    var baseline: String?
    let target: Double
    let limit: Double
}

/// One way of doing the work of a suite.
struct Variant {
    let name: String
    var goals: [Goal] = []
    /// The variant that this one is compared with, without a bound.
    var peerOf: String?
    /// The number of rows that the variant works on, in suites that show how the cost grows with it.
    var size: Int?
    /// The largest number of runs that count, for a variant that takes long.
    var mostRuns = Int.max
    /// Runs the work once and returns the value of one unit, in the suite's unit.
    let run: () throws -> Double
}

/// Variants that run in turn, so that a disturbance of the machine affects all of them.
struct Suite {
    let name: String
    let unit: String
    var variants: [Variant]

    func measure(runs: Int) throws -> [Outcome] {
        var values: [String: [Double]] = [:]
        for run in 0...runs {
            for variant in variants where run <= variant.mostRuns {
                let value = try variant.run()
                // The first round warms up caches.
                if run > 0 { values[variant.name, default: []].append(value) }
            }
        }
        return variants.flatMap { variant -> [Outcome] in
            let own = values[variant.name] ?? []
            let comparisons =
                variant.goals.isEmpty
                ? [Goal(baseline: variant.peerOf, target: .nan, limit: .nan)] : variant.goals
            return comparisons.map { goal in
                Outcome(
                    suite: name, operation: variant.name, unit: unit, size: variant.size, value: median(own),
                    against: goal.baseline,
                    // The ratio is taken round by round, since a shared machine is fast for a while and slow
                    // for a while.
                    ratio: goal.baseline.flatMap { values[$0] }.map { median(zip(own, $0).map(/)) },
                    target: goal.target.isNaN ? nil : goal.target, limit: goal.limit.isNaN ? nil : goal.limit)
            }
        }
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Returns the processor time, in nanoseconds over all threads, that one of `units` equal pieces of work
/// takes. Unlike wall-clock time it stays the same on a shared machine.
func cost(of units: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = raw_process_nanoseconds()
    try body()
    return Double(raw_process_nanoseconds() - start) / Double(units)
}

/// Returns the time by the clock, in nanoseconds, that one of `units` equal pieces of work takes, for work that
/// a server does.
func duration(of units: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = raw_wall_nanoseconds()
    try body()
    return Double(raw_wall_nanoseconds() - start) / Double(units)
}

/// Keeps the optimizer from removing work.
@inline(never)
func consume<Value>(_ value: Value) {}
