#if SwiftData
import CoreData
import SwiftData
import Synchronization
import Testing

/// A second container on the same file stands for another program: it has nothing in common with the first one
/// but the file.
@Suite("What other programs save")
struct ForeignCommitTests {
    private let store: ScratchStore
    private let container: ModelContainer
    private let theirs: ModelContext

    init() throws {
        store = try ScratchStore()
        theirs = ModelContext(try store.container(Trip.self))
        for code in ["A", "B"] {
            theirs.insert(Trip(code: code, name: "Trip \(code)", guide: Guide(name: code)))
        }
        try theirs.save()
        container = try store.container(Trip.self)
    }

    private let sorted = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])

    /// Waits until a context has taken something over.
    private func wait(_ context: ModelContext, until condition: () throws -> Bool) async throws {
        while try !condition() {
            try await Task.sleep(for: .milliseconds(1))
            context.processPendingChanges()
        }
    }

    @Test(
        "What others change, insert and delete reaches the models of a context, which keeps its own changes")
    func merging() async throws {
        defer { store.remove() }
        let context = ModelContext(container)
        let own = try context.fetch(sorted)
        own[0].seats = 9
        let guide = try #require(own[0].guide)
        let trips = try theirs.fetch(sorted)
        trips[0].name = "Andes"
        theirs.delete(trips[1])
        theirs.insert(Trip(code: "C", name: "Corsica", guide: trips[0].guide))
        try theirs.save()
        try await wait(context) { own[0].name == "Andes" }
        #expect(own[0].seats == 9 && own[1].isDeleted && own[1].name == "Trip B")
        #expect(guide.trips.map(\.code) == ["A", "C"])
        #expect(context.changedModelsArray.count == 1 && context.deletedModelsArray.isEmpty)
        try context.save()
        #expect(try ModelContext(theirs.container).fetch(sorted).map(\.seats) == [9, 4])
    }

    @Test("The main context takes over by itself what others save") @MainActor
    func mainContext() async throws {
        defer { store.remove() }
        let own = try container.mainContext.fetch(sorted)
        try theirs.fetch(sorted)[0].name = "Andes"
        try theirs.save()
        while own[0].name != "Andes" { try await Task.sleep(for: .milliseconds(1)) }
        #expect(!container.mainContext.hasChanges)
    }

    @Test("A save of the container's own reaches other contexts once, and its own context not at all")
    func ownSaves() async throws {
        defer { store.remove() }
        let context = ModelContext(container)
        let own = try context.fetch(sorted)
        let log = MergeLog()
        let observer = log.follow(context.managedObjectContext)
        defer { NotificationCenter.default.removeObserver(observer) }
        for round in 0..<20 {
            own[0].seats = round
            try context.save()
        }
        // A commit of somebody else, after which the look at the history has passed the own ones.
        try theirs.fetch(sorted)[1].name = "Baltic"
        try theirs.save()
        try await wait(context) { own[1].name == "Baltic" }
        #expect(log.merged.withLock { $0 } == [[own[1].persistentModelID.managedObjectID]])
    }

    /// The updated objects of each notification that a context has merged something.
    private final class MergeLog: Sendable {
        let merged = Mutex<[Set<NSManagedObjectID>]>([])

        /// Begins to note what a context merges; returns the observer that does so.
        func follow(_ context: NSManagedObjectContext) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context, queue: nil
            ) { [self] note in
                let updated = note.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
                merged.withLock { $0.append(updated) }
            }
        }
    }

    @Test("If a part of the history is gone, everything is read anew")
    func prunedHistory() async throws {
        defer { store.remove() }
        let context = ModelContext(container)
        let own = try context.fetch(sorted)
        // The transactions that this container has not looked at are deleted together with the change.
        try theirs.transaction {
            try theirs.fetch(sorted)[0].name = "Andes"
        }
        try theirs.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        try theirs.transaction { try theirs.fetch(sorted)[1].name = "Baltic" }
        try await wait(context) { own.map(\.name) == ["Andes", "Baltic"] }
    }

    @Test("A context that does not merge keeps the values that it read")
    func isolated() async throws {
        defer { store.remove() }
        let (context, other) = (ModelContext(container), ModelContext(container))
        context.mergesOtherSaves = false
        let (kept, followed) = (try context.fetch(sorted), try other.fetch(sorted))
        #expect(kept[0].name == "Trip A")
        try theirs.fetch(sorted)[0].name = "Andes"
        try theirs.save()
        try await wait(other) { followed[0].name == "Andes" }
        context.processPendingChanges()
        #expect(kept[0].name == "Trip A")
    }
}
#endif
