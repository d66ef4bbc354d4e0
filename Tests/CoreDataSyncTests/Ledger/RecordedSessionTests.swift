import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Sessions and ledgers of earlier versions", .serialized)
struct RecordedSessionTests {
    /// `CORE_DATA_TEST_RECORD=name` records a session first.
    init() async throws {
        guard let name = ProcessInfo.processInfo.environment["CORE_DATA_TEST_RECORD"],
            !FileManager.default.fileExists(atPath: RecordedSession.url(name).path)
        else { return }
        try await RecordedSession.record().write(to: RecordedSession.url(name))
    }

    @Test("A server takes what devices of earlier versions send, and they understand its answers")
    func sessions() throws {
        #expect(!RecordedSession.all.isEmpty)
        for url in RecordedSession.all {
            let session = try RecordedSession(reading: url)
            let schema = try session.model.compiled()
            let server = ZoneServer(schema: schema, replica: SyncID(high: 1, low: 1))
            var storage = DictionaryStorage(schema: schema)
            for (index, exchange) in session.exchanges.enumerated() {
                // The server was restored between two requests.
                if case .refused(.epoch(let epoch)) = exchange.response.answer,
                    epoch == storage.header.epoch + 1
                {
                    server.beginEpoch(&storage, after: storage.header.epoch)
                }
                let response = try server.answer(
                    exchange.request, &storage, milliseconds: exchange.milliseconds)
                #expect(
                    Self.isEqual(response.answer, exchange.response.answer),
                    "\(url.lastPathComponent) \(index)")
            }
            #expect(Int64(storage.header.sequence) == session.numbers["sequence"])
            #expect(Int64(storage.rows.count) == session.numbers["items"])
            #expect(Int64(bitPattern: storage.header.digest.whole) == session.numbers["digest"])
        }
    }

    /// Whether a device of the earlier version gets the same from both answers; later ones may say more.
    private static func isEqual(_ answer: SyncAnswer, _ recorded: SyncAnswer) -> Bool {
        switch (answer, recorded) {
        case (.push(let answer), .push(let recorded)):
            answer.outcomes == recorded.outcomes && answer.receipt == recorded.receipt
        case (.pull(let page), .pull(let recorded)):
            page.updates == recorded.updates && page.lost == recorded.lost && page.next == recorded.next
        case (.snapshot(let page), .snapshot(let recorded)):
            page.updates == recorded.updates && page.isComplete == recorded.isComplete
        case (.reconcile(let answer), .reconcile(let recorded)):
            answer.updates == recorded.updates && answer.buckets == recorded.buckets
        case (.refused(let refusal), .refused(let recorded)): refusal == recorded
        default: false
        }
    }

    @Test("A ledger of an earlier version is read whole")
    func ledgers() throws {
        for url in RecordedSession.all {
            let session = try RecordedSession(reading: url)
            let ledger = try #require(try TrackedLedger(reading: session.ledger))
            #expect(
                Int64(ledger.pending.changes.count + ledger.header.frozen.count) == session.numbers["pending"]
            )
            #expect(Int64(ledger.issues.count) == session.numbers["issues"] && !ledger.issues.isEmpty)
            #expect(Int64(ledger.keys.count) == session.numbers["entries"])
            #expect(Int64(bitPattern: ledger.digest.whole) == session.numbers["ledger"])
        }
    }
}
