import CoreData
import Foundation
import Observation
import Synchronization
import Testing

@Suite("Observation of managed objects")
@MainActor
struct ObservationTrackingTests {
    private let stack: TestStack
    private let task: ObservedTask

    init() throws {
        stack = try ObservedTask.stack()
        stack.context.tracksObservation = true
        task = try #require(stack.insert("Task", ["title": "milk", "rank": 1]) as? ObservedTask)
        try stack.context.save()
    }

    /// Returns whether an observer that ran `body` is notified of the change that `change` makes.
    private func isTold(of change: () throws -> Void, reading body: () -> Void) rethrows -> Bool {
        let telling = Telling()
        withObservationTracking(body) { telling.isTold.withLock { $0 = true } }
        try change()
        return telling.isTold.withLock { $0 }
    }

    private final class Telling: Sendable {
        let isTold = Mutex(false)
    }

    @Test("A reader is notified when the property that it read changes, and not for others")
    func attributes() {
        #expect(isTold(of: { task.title = "bread" }, reading: { _ = task.title }))
        #expect(isTold(of: { task.setValue(4, forKey: "rank") }, reading: { _ = task.rank }))
        #expect(isTold(of: { task.rank = 5 }, reading: { _ = task.value(forKey: "rank") }))
        #expect(isTold(of: { task.rank = 6 }, reading: { _ = task.heading }))
        #expect(!isTold(of: { task.rank = 7 }, reading: { _ = task.title }))
        #expect(!isTold(of: { task.rank = 7 }, reading: { _ = task.rank }))
        #expect(task.rank == 7)
        #expect(task.title == "bread")
    }

    @Test("Relationships notify, also when the inverse side is set")
    func relationships() throws {
        let part = try #require(stack.insert("Task") as? ObservedTask)
        #expect(isTold(of: { part.whole = task }, reading: { _ = task.parts }))
        #expect(isTold(of: { task.parts = [] }, reading: { _ = part.whole }))
    }

    @Test("Refreshes and rollbacks notify readers, also of fetched objects")
    func events() throws {
        task.rank = 9
        #expect(isTold(of: { stack.context.rollback() }, reading: { _ = task.rank }))
        let context = stack.sibling()
        context.tracksObservation = true
        let object = try #require(try context.fetch("Task", nil, [], sortedBy: nil).first as? ObservedTask)
        #expect(object.rank == 1)
        task.rank = 10
        try stack.context.save()
        let isRefreshTold = isTold(
            of: {
                context.refresh(object, mergeChanges: true)
                context.processPendingChanges()
            }, reading: { _ = object.rank })
        #expect(isRefreshTold)
        #expect(object.rank == 10)
    }

    @Test("A managed class may implement observation itself")
    func ownObservation() throws {
        let plain = try TestStack("Plain")
        let entity = try #require(plain.coordinator.managedObjectModel.entitiesByName["Plain"])
        let object = OwnTask(entity: entity, insertInto: nil)
        #expect(isTold(of: { object.mood = 2 }, reading: { _ = object.mood }))
        #expect(!isTold(of: { object.mood = 3 }, reading: {}))
    }

    @Test("Contexts without tracking notify no observer, and reads work as before")
    func untracked() throws {
        stack.context.tracksObservation = false
        #expect(!isTold(of: { task.rank = 12 }, reading: { _ = task.rank }))
        #expect(task.rank == 12)
        stack.context.tracksObservation = true
        #expect(isTold(of: { task.rank = 13 }, reading: { _ = task.rank }))
    }
}

/// An observable class as macros of apps write it.
private final class OwnTask: NSManagedObject, Observable {
    private let registrar = ObservationRegistrar()
    private var ownMood = 1

    var mood: Int {
        get {
            registrar.access(self, keyPath: \.mood)
            return ownMood
        }
        set { registrar.withMutation(of: self, keyPath: \.mood) { ownMood = newValue } }
    }
}
