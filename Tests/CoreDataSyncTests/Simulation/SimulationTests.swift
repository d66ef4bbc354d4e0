import Foundation
import Testing

/// `CORE_DATA_TEST_CASES=1000` runs more seeds, `CORE_DATA_TEST_SEED=17 CORE_DATA_TEST_CASES=1` the one again
/// that a failure names.
@Suite("Simulation of devices with stores on disk")
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let cases = environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? 6
    private static let first = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1

    @Test("Devices agree with the server, nothing is lost, and all come to rest, whatever fails on the way")
    func invariants() async {
        var failures = 0
        for seed in Self.first..<Self.first + Self.cases where failures < 5 {
            do {
                try await Simulation(seed: seed).run(steps: 250)
            } catch {
                failures += 1
                Issue.record("seed \(seed): \(error)")
            }
        }
    }
}
