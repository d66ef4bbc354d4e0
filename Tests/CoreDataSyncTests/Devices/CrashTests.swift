import CoreData
import CoreDataSync
import CoreDataSyncCore
import Foundation
import Testing

@Suite("Ends of a process amid syncing")
struct CrashTests {
    /// Edits that make every kind of effect necessary on the second device.
    private func prepare(_ pair: Pair) async throws {
        try pair.devices[1].edit { context in
            let shelf = context.insert("Shelf", ["name": "s2"])
            shelf.setValue(context.insert("Library", ["name": "l2"]), forKey: "library")
            _ = context.insert("Book", ["title": "own"])
        }
        try await pair.sync()
        try pair.devices[0].edit { context in
            try context.all("Book")[0].setValue("renamed", forKey: "title")
            let book = context.insert("Book", ["title": "new", "isbn": "1"])
            book.setValue(NSSet(object: context.insert("Tag", ["name": "t"])), forKey: "tags")
            book.setValue(try context.all("Shelf")[0], forKey: "shelf")
        }
        try await pair.devices[0].sync()
        try pair.devices[1].edit { context in
            try context.all("Book")[0].setValue(4, forKey: "rating")
            _ = context.insert("Book", ["title": "offline"])
        }
    }

    /// Some of the steps of a cycle; `CORE_DATA_TEST_POINTS=0` takes all.
    private static func points(_ steps: Int) -> [Int] {
        let isWhole = ProcessInfo.processInfo.environment["CORE_DATA_TEST_POINTS"] == "0"
        return Array(stride(from: 1, through: steps, by: isWhole ? 1 : 6))
    }

    /// Runs a cycle of the second device that is disturbed, and checks that nothing is lost or there twice.
    private func run(_ disturb: (Device) -> Void) async throws -> Int {
        let pair = try Pair()
        try await prepare(pair)
        let device = pair.devices[1]
        let before = device.steps
        disturb(device)
        try await device.sync()
        let steps = device.steps - before
        try await pair.sync()
        for device in pair.devices {
            #expect(try device.texts("title", of: "Book") == ["new", "offline", "renamed"])
            #expect(device.engine!.ledger.issues.isEmpty)
        }
        return steps
    }

    @Test("A process that ends before or after any effect goes on where it was")
    func everyStep() async throws {
        let steps = try await run { _ in }
        #expect(steps > 20)
        for number in Self.points(steps) { _ = try await run { $0.crash = $0.steps + number } }
    }

    @Test("A process that ends before any effect, whose history is deleted then, goes on where it was")
    func everyStepWithoutHistory() async throws {
        let steps = try await run { _ in }
        for number in Self.points(steps) {
            _ = try await run { device in
                let step = device.steps + number
                device.crash = step
                device.before[step] = { try device.pruneHistory() }
            }
        }
    }

    /// Whether an edit of a title, for whose time a test arranges, is neither there afterwards nor among the issues.
    private func losesEdit(_ arrange: (Device, _ edit: @escaping () throws -> Void) -> Void) async throws
        -> Bool
    {
        let pair = try Pair()
        try await prepare(pair)
        let device = pair.devices[1]
        arrange(device) {
            try device.edit { context in
                let book = try #require(try context.all("Book").first)
                book.setValue("edit", forKey: "title")
            }
        }
        try await device.sync()
        try await pair.sync()
        let isLogged = device.engine!.ledger.issues.contains {
            if case .lost(let lost) = $0 { lost.value == .string("edit") } else { false }
        }
        return try device.texts("title", of: "Book").contains("edit") == isLogged
    }

    @Test("An edit before any effect of an import is not overwritten")
    func everyEdit() async throws {
        let steps = try await run { _ in }
        for number in Self.points(steps) {
            let isLost = try await losesEdit { device, edit in device.before[device.steps + number] = edit }
            #expect(!isLost, "step \(number)")
        }
    }

    @Test("An import that does not look whether its objects were edited overwrites an edit")
    func brokenGuard() async throws {
        for isBroken in [false, true] {
            let isLost = try await losesEdit { device, edit in
                device.overwritesEdits = isBroken
                device.beforePreparing = edit
            }
            #expect(isLost == isBroken)
        }
    }

    @Test("Pushes whose answers are lost are taken once")
    func lostAnswers() async throws {
        let pair = try Pair()
        try pair.devices[0].edit { _ = $0.insert("Book", ["title": "a", "copies": 3]) }
        pair.server.losesAnswers = true
        for _ in 0..<3 { try await pair.devices[0].sync() }
        pair.server.losesAnswers = false
        try await pair.sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == ["a"])
        #expect(pair.server.objects("Book").map { $0["copies"] } == [.integer(3)])
    }

    @Test("Edits made offline are sent when the server can be reached again")
    func offline() async throws {
        let pair = try Pair()
        try await pair.sync()
        pair.server.isReachable = false
        for number in 1...3 {
            try pair.devices[0].edit { _ = $0.insert("Book", ["title": "\(number)"]) }
            try await pair.devices[0].sync()
        }
        #expect(pair.devices[0].engine!.pendingCount > 0)
        pair.server.isReachable = true
        try await pair.sync()
        #expect(try pair.devices[1].texts("title", of: "Book") == ["1", "2", "3"])
    }
}
