@testable import CoreDataSync
import Testing

@Suite("The self-test")
struct SelfTestTests {
    @Test("What the engine relies on is so here")
    func passes() async {
        let test = await SyncSelfTest.run()
        #expect(test.problems.isEmpty, "\(test)")
        #expect(Set(test.probes.map(\.name)).count == 20)
        #expect(test.description.hasSuffix("\n0 of 20 failed"))
    }

    @Test("Stores that keep no history are found by the probes of the history, and by no others")
    func fails() async {
        let test = await SyncSelfTest.run(keepingHistory: false)
        let failed = Set(test.problems.map(\.name))
        #expect(failed == Set(SelfTestProbe.historyProbes.map(\.name)), "\(test)")
        #expect(test.description.contains("FAILED  a transaction names its author and its context: "))
    }
}
