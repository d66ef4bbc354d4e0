import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

/// `CORE_DATA_TEST_CASES=1000` runs more seeds, `CORE_DATA_TEST_SECONDS=180` new ones for as long as that, and
/// `CORE_DATA_TEST_SEED=17 CORE_DATA_TEST_CASES=1` the one again that a failure names.
@Suite("Simulation of devices with stores on disk")
struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let cases = environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? 6
    private static let first = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1

    private static let seconds = environment["CORE_DATA_TEST_SECONDS"].flatMap(Double.init)

    /// The seeds that were asked for, or those that every run takes; and ones that no run has taken yet, if there is time.
    private static let ranges: [Range<UInt64>] = {
        let fresh = UInt64.random(in: 1 << 16..<1 << 40)
        return [first..<first + cases] + (seconds == nil ? [] : [fresh..<fresh + 1 << 40])
    }()

    @Test(
        "Devices agree with the server, nothing is lost, and all come to rest, whatever fails on the way",
        arguments: ranges)
    func invariants(seeds: Range<UInt64>) async {
        let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
        var failures = 0
        for seed in seeds {
            guard failures < 5, end.map({ ContinuousClock.now < $0 }) ?? true else {
                return print("Simulated the seeds from \(seeds.lowerBound) to \(seed - 1)")
            }
            do {
                try await Simulation(seed: seed).run(steps: 250)
            } catch {
                failures += 1
                Issue.record("seed \(seed): \(error)")
            }
        }
    }

    /// Whether a run breaks an invariant, or digests find something that has to be repaired.
    private static func goesWrong(_ seed: UInt64, _ sabotage: Simulation.Sabotage?) async throws -> Bool {
        let simulation = try await Simulation(seed: seed, sabotage: sabotage)
        do { try await simulation.run(steps: 250) } catch { return true }
        return simulation.nodes.contains { $0.device.engine!.ledger.issues.contains(.diverged) }
    }

    @Test(
        "A merge, a cursor and a repetition of pushes that are broken are noticed",
        arguments: Simulation.Sabotage.allCases)
    func breakage(sabotage: Simulation.Sabotage) async throws {
        for seed in UInt64(1)...12 {
            let isBroken = try await Self.goesWrong(seed, sabotage)
            if isBroken, try await !Self.goesWrong(seed, nil) { return }
        }
        Issue.record("nothing was noticed")
    }
}
