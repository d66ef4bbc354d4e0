import CoreDataSyncCore
import Foundation
import Testing

/// `CORE_DATA_TEST_CASES=1000000` runs more seeds, `CORE_DATA_TEST_SEED=17 CORE_DATA_TEST_CASES=1` the one
/// again that a failure names.
@Suite("Simulation of devices and a server")
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    #if DEBUG
    /// Without optimization a seed takes thirty times as long.
    private static let standard: UInt64 = 30
    #else
    private static let standard: UInt64 = 2000
    #endif
    private static let cases = environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? standard
    private static let first = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1

    @Test("Devices agree with the server, nothing is lost, and all come to rest, whatever fails on the way")
    func invariants() {
        var failures = 0
        for seed in Self.first..<Self.first + Self.cases where failures < 10 {
            do {
                var simulation = Simulation(seed: seed)
                try simulation.run()
            } catch {
                failures += 1
                Issue.record("seed \(seed): \(error)")
            }
        }
    }
}
