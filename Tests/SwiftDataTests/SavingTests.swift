#if SwiftData
import CoreData
import SwiftData
import Synchronization
import Testing

@Suite("Notifications, undo and rollback")
struct SavingTests {
    private final class Log: Sendable {
        let entries = Mutex<[(name: Notification.Name, info: [String: [PersistentIdentifier]])]>([])
    }

    /// Returns what a context posts while a block runs.
    private func posted(
        by context: ModelContext, _ body: () throws -> Void
    ) rethrows -> [(name: Notification.Name, info: [String: [PersistentIdentifier]])] {
        let log = Log()
        let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { note in
                let info = note.userInfo as? [String: [PersistentIdentifier]] ?? [:]
                log.entries.withLock { $0.append((note.name, info)) }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        try body()
        return log.entries.withLock { $0 }
    }

    @Test("A save posts willSave, then didSave with the identifiers of what was saved")
    func notifications() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let (first, second) = (Trip(code: "A", name: "Alps"), Trip(code: "B", name: "Balkan"))
        var posts = try posted(by: context) {
            context.insert(first)
            context.insert(second)
            try context.save()
        }
        #expect(posts.map(\.name) == [ModelContext.willSave, ModelContext.didSave])
        let ids = [first.persistentModelID, second.persistentModelID]
        #expect(Set(posts[1].info["inserted"] ?? []) == Set(ids))
        #expect(posts[1].info["updated"] == nil && posts[1].info["deleted"] == nil)
        posts = try posted(by: context) {
            first.name = "Andes"
            context.delete(second)
            try context.save()
        }
        #expect(posts.last?.info == ["updated": [ids[0]], "deleted": [ids[1]]])
        #expect(try posted(by: context) { try context.save() }.isEmpty)
    }

    @Test("What an observer of willSave changes is saved with the rest")
    func changesInWillSave() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        let box = Box(context)
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: context, queue: nil
        ) { _ in box.context.insert(Trip(code: "B", name: "Balkan")) }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.insert(Trip(code: "A", name: "Alps"))
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 2)
    }

    private final class Box: @unchecked Sendable {
        let context: ModelContext
        init(_ context: ModelContext) { self.context = context }
    }

    /// Makes a change that is undone by itself.
    private static func event(in context: ModelContext, _ change: () -> Void) {
        context.undoManager?.beginUndoGrouping()
        change()
        context.processPendingChanges()
        context.undoManager?.endUndoGrouping()
    }

    @Test("An undo manager takes changes, insertions and deletions back, event by event")
    func undo() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        func event(_ change: () -> Void) { Self.event(in: context, change) }
        event { trip.name = "Andes" }
        event { context.delete(trip) }
        #expect(trip.isDeleted)
        manager.undo()
        #expect(!trip.isDeleted && trip.name == "Andes")
        manager.undo()
        #expect(trip.name == "Alps")
        manager.redo()
        #expect(trip.name == "Andes")
        event { context.insert(Trip(code: "B", name: "Balkan")) }
        manager.undo()
        #expect(context.insertedModelsArray.isEmpty)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Andes"])
    }

    @Test("A deletion that was saved is undone with the model that the program holds")
    func undoOfSavedDeletion() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        Self.event(in: context) { context.delete(trip) }
        try context.save()
        #expect(trip.isDeleted && trip.modelContext == nil)
        manager.undo()
        context.undoManager = nil
        #expect(!trip.isDeleted && trip.modelContext == context)
        trip.seats = 9
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).first === trip)
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Trip>()).map(\.seats) == [9])
    }

    @Test("A model whose insertion was taken back is inserted again with its attributes")
    func rollbackOfInsertion() throws {
        struct Refusal: Error {}
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        #expect(throws: Refusal.self) {
            try context.transaction {
                context.insert(trip)
                trip.seats = 9
                throw Refusal()
            }
        }
        #expect(trip.modelContext == nil && trip.seats == 9)
        try context.transaction { context.insert(trip) }
        #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.seats) == [9])
        context.delete(trip)
        #expect(trip.isDeleted)
    }

    @Test("A model whose deletion is taken back is the same object again")
    func rollbackOfDeletion() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        trip.stays = [Stay("Bern", nights: 2)]
        context.insert(trip)
        try context.save()
        context.delete(trip)
        context.processPendingChanges()
        #expect(try context.fetchCount(FetchDescriptor<Stay>()) == 0)
        context.rollback()
        #expect(!trip.isDeleted && trip.stays.map(\.town) == ["Bern"])
        #expect(try context.fetch(FetchDescriptor<Trip>()).first === trip)
    }
}
#endif
