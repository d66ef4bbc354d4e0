import CoreDataSyncCore
import Testing

@Suite("How long a device waits")
struct WaitingTests {
    private func moment(_ uptime: UInt64) -> Moment {
        Moment(wall: Zone.start + uptime, uptime: uptime)
    }

    @Test("The time for an answer begins when its request is sent, however long the ledger took before")
    func sending() throws {
        let schema = try Zone().storage.schema
        var machine = SyncMachine<DictionaryLedger>(schema: schema, random: SeededGenerator(1))
        var ledger = DictionaryLedger(replica: Zone.device(1))
        var request: UInt64?
        for case .capture(let number, _, _) in machine.handle(.start, at: moment(0), &ledger) {
            request = number
        }
        let capture = SyncEvent.captured(
            request: try #require(request), SimStore(schema: schema).capture(since: nil))
        var token: UInt64?
        for case .send(let number, _) in machine.handle(capture, at: moment(0), &ledger) { token = number }
        let sent = try #require(token)
        machine.noteSent(sent, at: moment(50_000))
        #expect(machine.handle(.time, at: moment(79_999), &ledger).isEmpty && machine.waits(for: sent))
        machine.noteSent(sent &+ 1, at: moment(79_999))
        _ = machine.handle(.time, at: moment(80_000), &ledger)
        #expect(!machine.waits(for: sent) && machine.isIdle)
    }
}
