import CoreData
import Foundation
import Testing

/// A task whose properties are written as in a class that observes itself.
final class ObservedTask: NSManagedObject {
    private static let titleProperty = ManagedProperty("title")
    private static let rankProperty = ManagedProperty("rank")
    private static let partsProperty = ManagedProperty("parts")
    private static let wholeProperty = ManagedProperty("whole")

    var title: String? {
        get { ManagedAccess.read(self, Self.titleProperty) }
        set { ManagedAccess.write(self, Self.titleProperty, newValue) }
    }
    var rank: Int64 {
        get { ManagedAccess.read(self, Self.rankProperty) }
        set { ManagedAccess.write(self, Self.rankProperty, newValue) }
    }
    var whole: ObservedTask? {
        get { ManagedAccess.read(self, Self.wholeProperty) }
        set { ManagedAccess.write(self, Self.wholeProperty, newValue) }
    }
    var parts: Set<ObservedTask> {
        get { ManagedAccess.read(self, Self.partsProperty) }
        set { ManagedAccess.write(self, Self.partsProperty, newValue) }
    }
    var heading: String { "\(rank) \(title ?? "-")" }

    static func stack() throws -> TestStack {
        try TestStack(
            """
            Task
              title string
              rank int64 = 0
              parts ->> Task.whole
              whole -> Task.parts
            """, classes: ["Task": ObservedTask.self])
    }
}

@Suite("Observing objects by key path")
@MainActor
struct ObservingTests {
    private let stack: TestStack
    private let task: ObservedTask

    init() throws {
        stack = try ObservedTask.stack()
        task = try #require(stack.insert("Task", ["title": "milk", "rank": 1]) as? ObservedTask)
        try stack.context.save()
    }

    @Test("A change is reported at once with the requested values, and an equal value is not")
    func setting() {
        var seen: [String] = []
        let observation = task.observe(\.title, options: [.old, .new]) { object, change in
            seen.append("\(object.rank) \(change.oldValue! ?? "-") \(change.newValue! ?? "-") \(change.kind)")
        }
        task.title = "bread"
        task.setValue(nil, forKey: "title")
        task.title = nil
        task.rank = 2
        #expect(seen == ["1 milk bread setting", "1 bread - setting"])
        withExtendedLifetime(observation) {}
    }

    @Test("Initial values, and values at all, are reported only if requested")
    func initial() {
        var seen: [Int64?] = []
        let observation = task.observe(\.rank, options: [.initial, .new]) { seen.append($1.newValue) }
        let silent = task.observe(\.rank) { seen.append($1.newValue ?? $1.oldValue) }
        task.rank = 5
        #expect(seen == [1, 5, nil])
        withExtendedLifetime((observation, silent)) {}
    }

    @Test("Computed properties and relationships set from the inverse side are observed")
    func computedAndInverse() throws {
        var seen: [String] = []
        let heading = task.observe(\.heading, options: .new) { seen.append($1.newValue ?? "-") }
        let parts = task.observe(\.parts, options: .new) { seen.append("\($1.newValue?.count ?? -1) parts") }
        let part = try #require(stack.insert("Task") as? ObservedTask)
        task.rank = 3
        part.whole = task
        part.whole = nil
        #expect(seen == ["3 milk", "1 parts", "0 parts"])
        withExtendedLifetime((heading, parts)) {}
    }

    @Test("An observation ends when it is invalidated or released")
    func ending() {
        var count = 0
        let first = task.observe(\.rank) { _, _ in count += 1 }
        var second: NSKeyValueObservation? = task.observe(\.rank) { _, _ in count += 10 }
        task.rank = 2
        first.invalidate()
        task.rank = 3
        second = nil
        task.rank = 4
        #expect(count == 21)
        #expect(second == nil)
    }

    @Test("Refreshes, rollbacks and merges are reported at the end of the event")
    func events() throws {
        var seen: [Int64?] = []
        let observation = task.observe(\.rank, options: .new) { seen.append($1.newValue) }
        task.rank = 2
        stack.context.rollback()
        #expect(seen == [2, 1])
        let sibling = stack.sibling()
        sibling.object(with: task.objectID).setValue(7, forKey: "rank")
        try sibling.save(mergingInto: stack.context)
        #expect(seen == [2, 1, 7])
        stack.context.delete(task)
        try stack.context.save()
        #expect(seen == [2, 1, 7])
        withExtendedLifetime(observation) {}
    }

    @Test("A handler may change the object again")
    func reentrancy() {
        var seen: [Int64] = []
        let observation = task.observe(\.rank, options: .new) { object, change in
            seen.append(change.newValue ?? -1)
            if object.rank < 4 { object.rank += 1 }
        }
        task.rank = 2
        #expect(seen == [2, 3, 4])
        withExtendedLifetime(observation) {}
    }
}

@Suite("Streams of changes")
@MainActor
struct ChangeStreamTests {
    @Test("A context's changes arrive event by event, and end with the context")
    func context() async throws {
        var stack: TestStack? = try ObservedTask.stack()
        let changes = try #require(stack?.context.changes())
        let task = try #require(stack?.insert("Task", ["rank": 1]))
        try stack?.context.obtainPermanentIDs(for: [task])
        let id = task.objectID
        try stack?.context.save()
        task.setValue(2, forKey: "rank")
        stack?.context.processPendingChanges()
        stack?.context.refresh(task, mergeChanges: false)
        stack?.context.processPendingChanges()
        stack?.context.delete(task)
        stack?.context.processPendingChanges()
        stack?.context.reset()
        stack = nil
        var seen: [ManagedObjectContextChanges] = []
        for await change in changes { seen.append(change) }
        #expect(seen.map(\.inserted) == [[id], [], [], [], []])
        #expect(seen.map(\.updated) == [[], [id], [], [], []])
        #expect(seen.map(\.refreshed) == [[], [], [id], [], []])
        #expect(seen.map(\.deleted) == [[], [], [], [id], []])
        #expect(seen.map(\.isReset) == [false, false, false, false, true])
    }

    @Test("An object's changes have the keys that changed, and end when it is deleted")
    func object() async throws {
        let stack = try ObservedTask.stack()
        let task = stack.insert("Task", ["rank": 1])
        let other = stack.insert("Task", ["rank": 1])
        try stack.context.save()
        let changes = task.objectChanges()
        task.setValue(2, forKey: "rank")
        task.setValue("x", forKey: "title")
        stack.context.processPendingChanges()
        other.setValue(task, forKey: "whole")
        stack.context.processPendingChanges()
        other.setValue(3, forKey: "rank")
        stack.context.processPendingChanges()
        stack.context.rollback()
        stack.context.delete(task)
        stack.context.processPendingChanges()
        var seen: [ManagedObjectChange] = []
        for await change in changes { seen.append(change) }
        #expect(
            seen == [
                .updated(keys: ["rank", "title"]), .updated(keys: ["parts"]), .refreshed, .deleted,
            ])
    }
}
