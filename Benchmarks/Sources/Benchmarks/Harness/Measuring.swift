import RawLoops

/// What a variant is held to: its value against another variant's, or by itself.
struct Goal {
    var baseline: String?
    let target: Double
    let limit: Double
}

/// One way of doing the work of a suite.
struct Variant {
    let name: String
    var goals: [Goal] = []
    /// Compared with this variant without being held to anything.
    var peerOf: String?
    /// Rows it works on, where a suite shows how its cost grows with them.
    var size: Int?
    /// How many runs are counted at most, where one takes long.
    var mostRuns = Int.max
    /// One run; the value of one unit of work, in the suite's unit.
    let run: () throws -> Double
}

/// Variants that are run in turn, so that what disturbs the machine disturbs all of them.
struct Suite {
    let name: String
    let unit: String
    var variants: [Variant]

    func measure(runs: Int) throws -> [Outcome] {
        var values: [String: [Double]] = [:]
        for run in 0...runs {
            for variant in variants where run <= variant.mostRuns {
                let value = try variant.run()
                // The first round warms caches up.
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
                    // Round by round: a machine that others use is fast for a while and slow for a while.
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

/// Nanoseconds of processor time, all threads, of one of `units` equal pieces of work. Unlike time by the clock it
/// holds still on a machine that others use.
func cost(of units: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = raw_process_nanoseconds()
    try body()
    return Double(raw_process_nanoseconds() - start) / Double(units)
}

/// Keeps the optimizer from leaving work out.
@inline(never)
func consume<Value>(_ value: Value) {}
