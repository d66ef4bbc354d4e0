import CoreDataSyncCore
import CoreDataValues
import Testing

@Suite("Values that an app is asked about")
struct AskingTests {
    private static let model = SyncModel(entities: [
        SyncModel.Entity(
            "Note",
            properties: [
                .init("text", .attribute(.string, default: .null), userInfo: ["SyncMerge": "ask"])
            ])
    ])

    private func questions(_ peer: Peer) -> [SyncValue] {
        peer.ledger.issues.compactMap { if case .asked(let lost) = $0 { lost.value } else { nil } }
    }

    @Test(
        "The device whose edit lost is asked once, when its store shows the winner, and can have the last word",
        arguments: [true, false])
    func asking(loserComesFirst: Bool) throws {
        var zone = try Zone(Self.model, after: 100)
        var first = Peer(1, of: zone)
        first.edit(at: 1) { editor in editor.set(.text("a"), "text", of: editor.insert("Note")) }
        try first.sync(&zone)
        var second = Peer(2, of: zone)
        try second.sync(&zone)
        first.set("text", of: "Note", to: .text("b"), at: 50)
        second.set("text", of: "Note", to: .text("c"), at: 60)
        if loserComesFirst { try first.sync(&zone) } else { try second.sync(&zone) }
        try second.sync(&zone)
        var shown: [LocalValue?] = []
        try first.sync(&zone) { effect, store in
            if case .report(.asked) = effect { shown.append(store.rows.values.first?.values["text"]) }
            return true
        }
        #expect(shown == [.text("c")] && questions(first) == [.string("b")])
        try first.sync(&zone)
        try second.sync(&zone)
        #expect(questions(first).count == 1 && questions(second).isEmpty)
        first.set("text", of: "Note", to: .text("b and c"), at: 70)
        try first.sync(&zone)
        try second.sync(&zone)
        #expect(second.values("Note")?["text"] == .text("b and c"))
        #expect(zone.storage.log.count == 1)
    }
}
