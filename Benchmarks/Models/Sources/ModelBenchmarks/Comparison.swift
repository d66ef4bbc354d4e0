import Glibc

/// One row of the table: the same work with managed objects and with models.
struct Comparison {
    let title: String
    /// The ratio to aim at, and the highest one that is accepted.
    let target: Double
    let limit: Double
    var unit = "ns"
    /// Whether the second value is compared by its difference, not by its ratio.
    var isDifference = false
    let managed: () throws -> Double
    let models: () throws -> Double

    /// Runs both in turn, so that a disturbance of the machine affects both, and prints the medians.
    ///
    /// Returns whether the limit holds.
    func measure(rounds: Int) throws -> Bool {
        var values: [(managed: Double, models: Double)] = []
        // The first round warms up caches.
        for round in 0...rounds {
            let value = (try managed(), try models())
            if round > 0 { values.append(value) }
        }
        let outcome = median(values.map { isDifference ? $0.models - $0.managed : $0.models / $0.managed })
        let verdict = outcome <= target ? "met" : outcome <= limit ? "within the limit" : "**over the limit**"
        print(
            "| \(title) | \(rounded(median(values.map(\.managed)))) \(unit) "
                + "| \(rounded(median(values.map(\.models)))) \(unit) | \(rounded(outcome)) | \(rounded(target)) "
                + "| \(rounded(limit)) | \(verdict) |")
        return outcome <= limit
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private func rounded(_ value: Double) -> String {
        let places = abs(value) < 10 ? 100.0 : 1
        let result = (value * places).rounded() / places
        return places == 1 ? "\(Int(result))" : "\(result)"
    }
}

/// Returns the processor time, in nanoseconds over all threads, that one of `units` equal pieces of work takes.
func cost(of units: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = processNanoseconds()
    try body()
    return Double(processNanoseconds() - start) / Double(units)
}

private func processNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Keeps the optimizer from removing work.
@inline(never)
func consume<Value>(_ value: Value) {}
