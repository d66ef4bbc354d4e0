import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Objects with an identity, without a uniqueness constraint")
struct IdentityTests {
    private static func makePair() throws -> Pair {
        let model = LibraryModel.make { entities in
            entities["Tag"]!.uniquenessConstraints = []
            entities["Tag"]!.userInfo = ["SyncIdentity": "name"]
        }
        return try Pair(model: model)
    }

    /// Makes a tag, and a loan that has it.
    private static func insert(_ note: String, _ context: NSManagedObjectContext) {
        let loan = context.insert("Loan", ["note": note])
        loan.setValue(context.insert("Tag", ["name": "t"]), forKey: "tag")
    }

    private func expectOneTag(_ pair: Pair, notes: [String], _ comment: Comment) throws {
        for device in pair.devices {
            #expect(try device.texts("name", of: "Tag") == ["t"], comment)
            #expect(try device.texts("note", of: "Loan") == notes, comment)
            let count = try device.edit { context in
                try context.all("Loan").count { $0.value(forKey: "tag") != nil }
            }
            #expect(count == notes.count, comment)
        }
    }

    @Test("An object that is made before any step of the import of its equal becomes one with it")
    func everyStep() async throws {
        func prepare() async throws -> Pair {
            let pair = try Self.makePair()
            try await pair.sync()
            try pair.devices[0].edit { Self.insert("theirs", $0) }
            try await pair.devices[0].sync()
            return pair
        }
        let pair = try await prepare()
        let before = pair.devices[1].steps
        try await pair.devices[1].sync()
        let steps = pair.devices[1].steps - before
        #expect(steps > 10)
        for number in 1...steps {
            let pair = try await prepare()
            let device = pair.devices[1]
            device.before[device.steps + number] = { try device.edit { Self.insert("mine", $0) } }
            try await device.sync()
            try await pair.sync()
            try await pair.sync()
            try expectOneTag(pair, notes: ["mine", "theirs"], "step \(number) of \(steps)")
        }
    }

    @Test("Objects of one identity that an app makes in one save become one")
    func oneSave() async throws {
        let pair = try Self.makePair()
        try pair.devices[0].edit { context in
            Self.insert("a", context)
            Self.insert("b", context)
        }
        try await pair.sync()
        try await pair.sync()
        try expectOneTag(pair, notes: ["a", "b"], "")
    }

    @Test("An object that is made in the save that deletes its equal stands for it")
    func replaced() async throws {
        let pair = try Self.makePair()
        try pair.devices[0].edit { _ = $0.insert("Tag", ["name": "t"]) }
        try await pair.sync()
        let id = pair.server.storage.rows.keys.filter { pair.server.storage.rows[$0]?.state.entity == "Tag" }
        try pair.devices[0].edit { context in
            context.delete(try context.all("Tag")[0])
            Self.insert("a", context)
        }
        try await pair.sync()
        #expect(
            pair.server.storage.rows.filter { $0.value.state.entity == "Tag" }.keys.sorted() == id)
        try expectOneTag(pair, notes: ["a"], "")
    }

    @Test("The ID of a device does not look like one that is made of values, as merged counters have")
    func replicas() async throws {
        let server = try Self.makePair().server
        for seed in UInt64(1)...40 {
            let device = try Device(server, seed: seed * 1000)
            try await device.open()
            let text = device.engine!.ledger.header.replica.uuid.uuidString
            #expect(text.split(separator: "-")[2].first == "4", "\(text)")
        }
    }
}
