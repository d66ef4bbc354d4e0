import CoreData
import Foundation
import Testing

@Suite("Events of nested contexts", .serialized)
@MainActor
struct NestedEventsTests {
    private typealias Stack = NestedStack

    @Test("A child's save is one event of the parent, whose new objects awake from insertion")
    func events() throws {
        let nested = try NestedStack()
        let department = nested.stack.insert("Department", ["name": "d"])
        nested.stack.insert("Employee", ["name": "Ann", "department": department])
        try nested.parent.save()
        nonisolated(unsafe) var changes: [[AnyHashable: Any]] = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: nested.parent, queue: nil
        ) { changes.append($0.userInfo ?? [:]) }
        defer { NotificationCenter.default.removeObserver(token) }
        let log = CallLog(in: nested.parent)
        try nested.child.performAndWait {
            let bo = nested.child.insert("Employee", ["name": "Bo"])
            bo.setValue(try Stack.first(nested.child, "Department", "d"), forKey: "department")
            nested.child.delete(try Stack.first(nested.child, "Employee", "Ann"))
            try nested.child.save()
            #expect(changes.count == 1, "The parent tells before the child's code goes on")
        }
        nested.parent.processPendingChanges()
        #expect(log.take().filter { $0 != "awakeFromFetch" } == ["awakeFromInsert", "prepareForDeletion"])
        #expect(changes.count == 1)
        func count(_ key: String) -> Int? { (changes.first?[key] as? Set<NSManagedObject>)?.count }
        #expect(count(NSInsertedObjectsKey) == 1)
        #expect(count(NSDeletedObjectsKey) == 1)
        #expect(changes.first?[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [department])
    }

    @Test("A parent's thread may wait for the child that is merging the parent's save")
    func waitingForMerging() throws {
        let nested = try NestedStack()
        let ann = nested.stack.insert("Employee", ["name": "Ann"])
        try nested.parent.save()
        let child = nested.child
        child.automaticallyMergesChangesFromParent = true
        let twin = child.performAndWait { child.object(with: ann.objectID) }
        child.performAndWait { #expect(twin.value(forKey: "name") as? String == "Ann") }
        for name in ["Bo", "Cid", "Dee"] {
            ann.setValue(name, forKey: "name")
            try nested.parent.save()
            child.performAndWait { #expect(twin.value(forKey: "name") as? String == name) }
        }
    }

    @Test("Automatic merging includes siblings' saves, and changes that the parent saves or merges")
    func merging() async throws {
        let nested = try NestedStack()
        let ann = nested.stack.insert("Employee", ["name": "Ann"])
        try nested.parent.save()
        nested.child.automaticallyMergesChangesFromParent = true
        let child = nested.child
        let twin = child.performAndWait { child.object(with: ann.objectID) }
        child.performAndWait { #expect(twin.value(forKey: "name") as? String == "Ann") }
        let sibling = NSManagedObjectContext(.privateQueue)
        sibling.parent = nested.parent
        try sibling.performAndWait {
            try Stack.first(sibling, "Employee", "Ann").setValue("Bo", forKey: "name")
            _ = sibling.insert("Employee", ["name": "Cid"])
            try sibling.save()
        }
        func name() async -> String? {
            await child.perform { twin.value(forKey: "name") as? String }
        }
        #expect(await name() == "Bo")
        #expect(await child.perform { child.registeredObjects.count } >= 1)
        ann.setValue("Eve", forKey: "name")
        try nested.parent.save()
        #expect(await name() == "Eve")
        let other = nested.stack.sibling()
        nonisolated(unsafe) var saved: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { saved = $0 }
        other.object(with: ann.objectID).setValue("Flo", forKey: "name")
        try other.save()
        NotificationCenter.default.removeObserver(token)
        nested.parent.mergeChanges(fromContextDidSave: try #require(saved))
        #expect(await name() == "Flo")
        #expect(await child.perform { !child.hasChanges })
    }

    @Test("A block may wait for a context that is itself waiting for that block")
    func waiting() throws {
        let nested = try NestedStack()
        let parent = nested.stack.sibling(.privateQueue)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        let names = try parent.performAndWait {
            _ = parent.insert("Project", ["name": "p"])
            return try child.performAndWait {
                _ = child.insert("Project", ["name": "q"])
                try child.save()
                return try parent.performAndWait { try Stack.names(child, "Project") }
            }
        }
        #expect(names == ["p", "q"])
    }

    @Test("A task started by a block does not count as part of the block")
    func tasks() async throws {
        let nested = try NestedStack()
        let context = nested.child
        let ran = await withCheckedContinuation { continuation in
            context.performAndWait {
                Task.detached { await context.perform {} }
                Task {
                    do {
                        _ = try NSFetchRequest<NSManagedObject>(entityName: "Project").execute()
                        continuation.resume(returning: true)
                    } catch { continuation.resume(returning: false) }
                }
            }
        }
        #expect(!ran)
    }

    @Test("A parent must have a queue, and must be set before the context has objects")
    func traps() async {
        let confined = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = NSManagedObjectContext()
        }
        let reason = String(decoding: confined?.standardErrorContent ?? [], as: UTF8.self)
        #expect(reason.contains("Parent NSManagedObjectContext must use either"))
        let late = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try CompanyStack()
            let other = stack.sibling(.privateQueue)
            let project = other.performAndWait { other.insert("Project", ["name": "p"]) }
            other.parent = stack.context
            _ = project
        }
        let lateReason = String(decoding: late?.standardErrorContent ?? [], as: UTF8.self)
        #expect(lateReason.contains("cannot change its parent"))
    }
}
