#if SwiftData
import CoreData
import SwiftData
import Testing

/// An app and a server's program, each a process of its own, on one file.
@Suite("Two processes on one store of models")
struct TwoProcessModelTests {
    private static let storeKey = "MODEL_PROCESS_STORE"
    private static let storeOfOther = ProcessInfo.processInfo.environment[storeKey]
    private static let count = 50
    private static var first: FetchDescriptor<Trip> {
        FetchDescriptor(predicate: #Predicate { $0.code == "first" })
    }

    /// Saves one trip at a time, and a property of the first trip with each.
    private func work(
        in context: ModelContext, as name: String, _ change: (_ first: Trip, _ number: Int) -> Void
    ) throws {
        let first = try #require(try context.fetch(Self.first).first)
        for number in 1...Self.count {
            context.insert(Trip(code: "\(name) \(number)", name: name))
            change(first, number)
            try context.save()
        }
    }

    @Test("What the other process does", .enabled(if: storeOfOther != nil))
    func other() throws {
        let url = URL(filePath: try #require(Self.storeOfOther))
        let context = ModelContext(
            try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url)))
        context.author = "server"
        let first = try #require(try context.fetch(Self.first).first)
        first.name += " by train"
        first.guide = Guide(name: "Ada")
        try context.save()
        try work(in: context, as: "server") { first, number in first.seats = 100 + number }
    }

    @Test(
        "Two processes write to a file in turn and at once: nothing is lost, and each sees the other's models"
    )
    func both() async throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let context = ModelContext(try store.container(Trip.self))
        context.author = "app"
        let first = Trip(code: "first", name: "Alps")
        context.insert(first)
        try context.save()

        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "TwoProcessModelTests/other",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.storeKey: store.url.path]) {
            $1
        }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()

        // In turn: the other process goes on with what this one has saved.
        while first.name == "Alps", process.isRunning {
            try await Task.sleep(for: .milliseconds(1))
            context.processPendingChanges()
        }
        #expect(first.name == "Alps by train" && first.guide?.name == "Ada")
        // At once.
        try work(in: context, as: "app") { first, number in first.rating = Double(number) }
        for await _ in end {}
        #expect(process.terminationStatus == 0)

        let reader = ModelContext(try store.container(Trip.self))
        let all = try reader.fetch(FetchDescriptor<Trip>())
        for name in ["app", "server"] { #expect(all.count { $0.name == name } == Self.count) }
        let saved = try #require(try reader.fetch(Self.first).first)
        #expect(saved.seats == 100 + Self.count && saved.rating == Double(Self.count))
        let history = try reader.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(history.count { $0.author == "app" } == Self.count + 1)
        #expect(history.count { $0.author == "server" } == Self.count + 1)
        #expect(try context.fetch(Self.first).first === first && first.seats == saved.seats)
    }
}
#endif
