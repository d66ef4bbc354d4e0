import CoreDataSyncCore
import Testing

@Suite("Simulation of broken code")
struct SabotageTests {
    /// Whether a run breaks an invariant, or digests find something that has to be repaired.
    private func goesWrong(_ seed: UInt64, _ sabotage: Simulation.Sabotage) -> Bool {
        var simulation = Simulation(seed: seed, sabotage: sabotage)
        do { try simulation.run() } catch { return true }
        return simulation.devices.contains { $0.ledger.issues.contains(.diverged) }
    }

    @Test(
        "A merge, a cursor, a guard of imports and a repetition of pushes that are broken are noticed",
        arguments: [
            Simulation.Sabotage.merge, .cursor, .importGuard, .retry,
        ])
    func breakage(sabotage: Simulation.Sabotage) {
        let first = (UInt64(1)...20).first { goesWrong($0, sabotage) && !goesWrong($0, []) }
        #expect(first != nil)
    }
}
