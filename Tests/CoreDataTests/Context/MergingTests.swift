import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Merging saves of other contexts", .serialized)
@MainActor
struct MergingTests {
    /// Two contexts with the same departments and employees; deleting a department deletes its employees.
    private struct Pair {
        let stack: TestStack
        let other: NSManagedObjectContext
        let department: NSManagedObject
        let employees: [NSManagedObject]
        /// The department in the other context, with its values loaded.
        let twin: NSManagedObject

        @MainActor
        init() throws {
            stack = try CompanyStack()
            department = stack.insert("Department", ["name": "A"])
            let department = department
            employees = ["Ann", "Bo"].map { [stack] name in
                stack.insert("Employee", ["name": name, "department": department])
            }
            try stack.context.save()
            other = stack.sibling()
            twin = other.object(with: department.objectID)
            for employee in twin.value(forKey: "employees") as? Set<NSManagedObject> ?? [] {
                _ = employee.value(forKey: "name")
            }
        }

        /// Saves, merges into the other context, and returns the user info of that context's notifications.
        @MainActor
        func saveAndMerge(into context: NSManagedObjectContext? = nil) throws -> [Notification.Name:
            [AnyHashable: Any]]
        {
            let context = context ?? other
            nonisolated(unsafe) var saved: Notification?
            nonisolated(unsafe) var seen: [Notification.Name: [AnyHashable: Any]] = [:]
            let center = NotificationCenter.default
            var tokens = [
                center.addObserver(forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil)
                {
                    saved = $0
                }
            ]
            for name in [
                Notification.Name.NSManagedObjectContextObjectsDidChange,
                .NSManagedObjectContextDidMergeChangesObjectIDs,
            ] {
                tokens.append(
                    center.addObserver(forName: name, object: context, queue: nil) {
                        seen[name] = $0.userInfo
                    })
            }
            defer { tokens.forEach(center.removeObserver) }
            try stack.context.save()
            context.mergeChanges(fromContextDidSave: try #require(saved))
            return seen
        }
    }

    @Test("A merge notifies of inserted, refreshed and deleted objects; only deletions await a save")
    func notifications() throws {
        let pair = try Pair()
        let cid = pair.stack.insert("Employee", ["name": "Cid"])
        pair.employees[0].setValue("Eve", forKey: "name")
        pair.stack.context.delete(pair.employees[1])
        let eveID = pair.employees[0].objectID
        let boID = pair.employees[1].objectID
        let seen = try pair.saveAndMerge()
        let changes = try #require(seen[.NSManagedObjectContextObjectsDidChange])
        func ids(_ key: String) -> Set<NSManagedObjectID> {
            Set((changes[key] as? Set<NSManagedObject> ?? []).map(\.objectID))
        }
        #expect(ids(NSInsertedObjectsKey) == [cid.objectID])
        #expect(ids(NSRefreshedObjectsKey).contains(eveID))
        #expect(ids(NSDeletedObjectsKey) == [boID])
        let merged = try #require(seen[.NSManagedObjectContextDidMergeChangesObjectIDs])
        #expect(merged[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [boID])
        #expect(pair.other.insertedObjects.isEmpty)
        #expect(pair.other.updatedObjects.isEmpty)
        #expect(pair.other.deletedObjects.map(\.objectID) == [boID])
        #expect(pair.other.object(with: eveID).value(forKey: "name") as? String == "Eve")
        #expect(pair.twin.value(forKeyPath: "employees.@count") as? Int == 1)
    }

    @Test("Objects that a delete rule deleted in another context are not deleted again")
    func cascade() throws {
        let pair = try Pair()
        let twins = pair.twin.value(forKey: "employees") as? Set<NSManagedObject> ?? []
        #expect(twins.count == 2)
        pair.stack.context.delete(pair.department)
        _ = try pair.saveAndMerge()
        #expect(pair.other.deletedObjects == twins.union([pair.twin]))
        try pair.other.save()
        #expect(!pair.other.hasChanges)
        #expect(twins.allSatisfy { $0.managedObjectContext == nil })
    }

    @Test("A merge keeps a context's unsaved changes, and completes its deletion of a deleted object")
    func ownChanges() throws {
        let pair = try Pair()
        let ann = pair.other.object(with: pair.employees[0].objectID)
        let bo = pair.other.object(with: pair.employees[1].objectID)
        ann.setValue(77, forKey: "salary")
        pair.other.delete(bo)
        pair.employees[0].setValue("Eve", forKey: "name")
        pair.stack.context.delete(pair.employees[1])
        _ = try pair.saveAndMerge()
        #expect(ann.value(forKey: "name") as? String == "Eve")
        #expect(ann.value(forKey: "salary") as? Int == 77)
        #expect(pair.other.deletedObjects == [bo])
        #expect(pair.other.updatedObjects.contains(ann))
        try pair.other.save()
        #expect(try pair.stack.reopened().names("Employee") == ["Eve"])
    }

    @Test("A save through another coordinator is merged by URI, and rows are read again")
    func otherCoordinator() throws {
        let pair = try Pair()
        let second = try pair.stack.reopened()
        let twin = try #require(try second.fetch("Employee", "name == 'Ann'").first)
        #expect(twin.value(forKey: "salary") as? Int == 10)
        pair.employees[0].setValue(500, forKey: "salary")
        _ = try pair.saveAndMerge(into: second.context)
        #expect(twin.value(forKey: "salary") as? Int == 500)
    }

    @Test("Changes given only as URIs are read from the store, even if the row is cached")
    func remote() throws {
        let pair = try Pair()
        let database = try pair.stack.tables()
        try database.execute("UPDATE ZPERSON SET ZSALARY = 900, Z_OPT = Z_OPT + 1")
        let uris = pair.employees.map { $0.objectID.uriRepresentation() }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: uris], into: [pair.stack.context, pair.other])
        #expect(pair.employees.allSatisfy { $0.value(forKey: "salary") as? Int == 900 })
        #expect(pair.twin.value(forKeyPath: "employees.@max.salary") as? Int == 900)
    }

    @Test("Object IDs of removed stores can be compared, and merging them changes nothing")
    func orphans() throws {
        func orphan() throws -> NSManagedObjectID {
            let stack = try CompanyStack()
            let saved = stack.insert("Employee", ["name": "Ann"])
            try stack.context.save()
            #expect(saved.objectID.persistentStore != nil)
            return stack.insert("Employee", ["name": "Ben"]).objectID
        }
        let (first, second) = (try orphan(), try orphan())
        #expect(first != second)
        #expect(first.persistentStore == nil)
        let stack = try CompanyStack()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectIDsKey: [first, second]], into: [stack.context])
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Test("Objects that outlive their context keep their IDs")
    func contextless() throws {
        let stack = try CompanyStack()
        stack.insert("Employee", ["name": "Ann"])
        try stack.context.save()
        let coordinator = try #require(stack.context.persistentStoreCoordinator)
        func orphan(_ make: (NSManagedObjectContext) throws -> NSManagedObject?) throws -> NSManagedObject? {
            let context = coordinator.context(.privateQueue)
            return try context.performAndWait { try make(context) }
        }
        let fetched = try #require(
            try orphan { try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")).first })
        let saved = try #require(
            try orphan { context in
                let ben = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
                ben.setValue("Ben", forKey: "name")
                try context.save()
                return ben
            })
        let store = try #require(coordinator.persistentStores.first)
        for object in [fetched, saved] {
            #expect(object.managedObjectContext == nil)
            #expect(object.objectID.persistentStore === store)
            #expect(stack.context.object(with: object.objectID).value(forKey: "name") is String)
        }
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee")) == 2)
    }

    @Test("A row rewritten by a merge policy survives the merge of its deletion")
    func writtenAgain() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann"])
        try stack.context.save()
        let other = stack.sibling(.privateQueue)
        nonisolated(unsafe) var deletion: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { deletion = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try other.performAndWait {
            other.delete(other.object(with: ann.objectID))
            try other.save()
        }
        ann.setValue("Eve", forKey: "name")
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(deletion))
        #expect(!ann.isDeleted)
        #expect(ann.value(forKey: "name") as? String == "Eve")
        #expect(try stack.fetch("Employee") == [ann])
        stack.context.delete(ann)
        try stack.context.save()
        #expect(try stack.reopened().fetch("Employee").isEmpty)
    }

    @Test("Two contexts that rewrite one deleted row resolve it like any other conflict")
    func writtenAgainTwice() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann", "salary": 1])
        try stack.context.save()
        let (second, third) = (stack.sibling(.privateQueue), stack.sibling(.privateQueue))
        let id = ann.objectID
        try second.performAndWait {
            second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try second.existingObject(with: id).setValue(5, forKey: "salary")
        }
        try third.performAndWait {
            third.delete(third.object(with: id))
            try third.save()
        }
        ann.setValue("Eve", forKey: "name")
        stack.context.mergePolicy = NSMergePolicy.overwrite
        try stack.context.save()
        try second.performAndWait { try second.save() }
        let reopened = try stack.reopened()
        #expect(try reopened.fetch("Employee").map { $0.value(forKey: "salary") as? Int } == [5])
        try second.performAndWait {
            second.delete(second.object(with: id))
            try second.save()
        }
        #expect(try stack.reopened().fetch("Employee").isEmpty)
    }

    @Test("A slow fetch does not replace values that were saved while it ran")
    func slowFetch() throws {
        let stack = try CompanyStack()
        for number in 0..<2000 { stack.insert("Employee", ["name": "\(number)", "salary": 0]) }
        try stack.context.save()
        let ann = try #require(try stack.fetch("Employee").first)
        let id = ann.objectID
        let coordinator = stack.coordinator
        let isDone = Atomic<Bool>(false)
        let readers = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: readers) {
                var held: [NSManagedObject] = []
                while !isDone.load(ordering: .acquiring) {
                    let reader = coordinator.context(.privateQueue)
                    reader.performAndWait {
                        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
                        held = (try? reader.fetch(request)) ?? held
                    }
                }
                withExtendedLifetime(held) {}
            }
        }
        let writer = coordinator.context(.privateQueue)
        for number in 1...40 {
            try writer.performAndWait {
                writer.object(with: id).setValue(number, forKey: "salary")
                try writer.save()
                writer.reset()
            }
            stack.context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSaveObjectIDs, object: writer,
                    userInfo: [NSUpdatedObjectIDsKey: Set([id])]))
            Thread.sleep(forTimeInterval: 0.01)
            #expect(ann.value(forKey: "salary") as? Int == number)
        }
        isDone.store(true, ordering: .releasing)
        readers.wait()
    }
}
