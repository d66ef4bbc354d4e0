import CoreData
import Foundation
import Testing

@Suite("Merge policies, property by property", .serialized)
@MainActor
struct MergePolicyTests {
    /// An employee changed by two contexts: this one, and one that has already saved and released its
    /// objects.
    private struct Dispute {
        let stack: TestStack
        let other: TestStack?
        let ann: NSManagedObject
        let rooms: [String: NSManagedObject]

        /// - Parameter isForeign: Whether the other context has a coordinator of its own.
        @MainActor
        init(_ policy: NSMergePolicy, isForeign: Bool) throws {
            stack = try CompanyStack()
            stack.context.mergePolicy = policy
            var rooms: [String: NSManagedObject] = [:]
            for name in ["base", "mine", "theirs"] {
                rooms[name] = stack.insert("Department", ["name": name])
                stack.insert("Project", ["name": name])
            }
            self.rooms = rooms
            ann = stack.insert(
                "Employee",
                ["name": "base", "salary": 1, "rank": 1, "score": 1.0, "department": rooms["base"]!])
            ann.mutableSetValue(forKey: "projects").add(try stack.fetch("Project", "name == 'base'")[0])
            try stack.context.save()

            var other: TestStack?
            let context: NSManagedObjectContext
            if isForeign {
                other = try stack.reopened()
                context = other!.context
            } else {
                context = stack.sibling(.privateQueue)
            }
            self.other = other
            let isTheirs = "name == 'theirs'"
            try context.performAndWait {
                let twin = try #require(context.fetch("Employee", nil, [], sortedBy: nil).first)
                twin.setValuesForKeys(["salary": 3, "rank": 3])
                let theirs = try context.fetch("Department", isTheirs, [], sortedBy: nil)
                twin.setValue(theirs[0], forKey: "department")
                let projects = try context.fetch("Project", isTheirs, [], sortedBy: nil)
                twin.mutableSetValue(forKey: "projects").add(projects[0])
                try context.save()
            }
            // "salary" and "department" changed in both, "rank" in the other context, "name" in this one,
            // "score" in neither.
            ann.setValuesForKeys(["name": "mine", "salary": 2, "department": rooms["mine"]!])
            ann.mutableSetValue(forKey: "projects").add(try stack.fetch("Project", "name == 'mine'")[0])
        }

        /// The values of the object: name, salary, rank, department.
        @MainActor
        func values(_ object: NSManagedObject) -> [String] {
            ["name", "salary", "rank", "department.name"].map {
                object.value(forKeyPath: $0).map { "\($0)" } ?? "nil"
            }
        }

        @MainActor
        func check(_ expected: [String], projects: [String], _ location: SourceLocation = #_sourceLocation)
            throws
        {
            #expect(values(ann) == expected, sourceLocation: location)
            #expect(!stack.context.hasChanges, sourceLocation: location)
            let third = try stack.reopened()
            let stored = try #require(try third.fetch("Employee").first)
            #expect(values(stored) == expected, sourceLocation: location)
            for object in [ann, stored] {
                let names = object.value(forKeyPath: "projects.name") as? Set<String>
                #expect(names?.sorted() == projects, sourceLocation: location)
            }
        }
    }

    @Test("Object trump merges both sides' changes and prefers the context's", arguments: [false, true])
    func objectTrump(isForeign: Bool) throws {
        let dispute = try Dispute(.mergeByPropertyObjectTrump, isForeign: isForeign)
        try dispute.stack.context.save()
        try dispute.check(["mine", "2", "3", "mine"], projects: ["base", "mine", "theirs"])
    }

    @Test("Store trump merges both sides' changes and prefers the store's", arguments: [false, true])
    func storeTrump(isForeign: Bool) throws {
        let dispute = try Dispute(.mergeByPropertyStoreTrump, isForeign: isForeign)
        try dispute.stack.context.save()
        try dispute.check(["mine", "3", "3", "theirs"], projects: ["base", "mine", "theirs"])
    }

    @Test(
        "Overwrite writes every value of the context, including unchanged ones",
        arguments: [false, true])
    func overwrite(isForeign: Bool) throws {
        let dispute = try Dispute(.overwrite, isForeign: isForeign)
        try dispute.stack.context.save()
        try dispute.check(["mine", "2", "1", "mine"], projects: ["base", "mine", "theirs"])
    }

    @Test("Rollback discards all changes of the conflicting object", arguments: [false, true])
    func rollback(isForeign: Bool) throws {
        let dispute = try Dispute(.rollback, isForeign: isForeign)
        try dispute.stack.context.save()
        try dispute.check(["base", "3", "3", "theirs"], projects: ["base", "theirs"])
    }

    @Test(
        "The error policy fails with 133020 and changes nothing, and a later policy resolves it",
        arguments: [false, true])
    func error(isForeign: Bool) throws {
        let dispute = try Dispute(.error, isForeign: isForeign)
        let error = #expect(throws: NSError.self) { try dispute.stack.context.save() }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSManagedObjectMergeError)
        #expect(dispute.values(dispute.ann) == ["mine", "2", "1", "mine"])
        #expect(dispute.ann.isUpdated)
        #expect(dispute.ann.changedValues().keys.contains("salary"))
        dispute.stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try dispute.stack.context.save()
        try dispute.check(["mine", "2", "3", "mine"], projects: ["base", "mine", "theirs"])
    }

    @Test(
        "After a conflict both sides of a relationship agree, even if only one was in conflict",
        arguments: [false, true])
    func bothSides(isForeign: Bool) throws {
        for (policy, home) in [
            (NSMergePolicy.mergeByPropertyObjectTrump, "mine"), (.mergeByPropertyStoreTrump, "theirs"),
            (.overwrite, "mine"), (.rollback, "theirs"),
        ] {
            let dispute = try Dispute(policy, isForeign: isForeign)
            for room in dispute.rooms.values { _ = room.value(forKeyPath: "employees.@count") }
            try dispute.stack.context.save()
            for (name, room) in dispute.rooms {
                let count = room.value(forKeyPath: "employees.@count") as? Int
                #expect(count == (name == home ? 1 : 0), "\(name) under \(policy.mergeType)")
            }
        }
    }

    @Test("Rolling back a deletion restores the relationships that refer to the object")
    func deletionRolledBack() throws {
        let dispute = try Dispute(.rollback, isForeign: true)
        dispute.stack.context.rollback()
        let theirs = try #require(dispute.rooms["theirs"])
        #expect(theirs.value(forKeyPath: "employees.@count") as? Int == 1)
        dispute.stack.context.delete(dispute.ann)
        try dispute.stack.context.save()
        #expect(!dispute.ann.isDeleted)
        #expect(dispute.ann.value(forKey: "department") as? NSManagedObject === theirs)
        #expect(theirs.value(forKey: "employees") as? Set<NSManagedObject> == [dispute.ann])
    }

    @Test("An object whose changes were discarded is not reported as saved")
    func nothingSaved() throws {
        let stack = try CompanyStack()
        stack.context.mergePolicy = NSMergePolicy.rollback
        let department = stack.insert("Department", ["name": "A", "floor": 1])
        stack.insert("Employee", ["department": department])
        try stack.context.save()
        #expect(department.value(forKeyPath: "employees.@count") as? Int == 1)
        let other = try stack.reopened()
        try other.fetch("Department")[0].setValue(3, forKey: "floor")
        try other.context.save()
        department.setValue(2, forKey: "floor")
        nonisolated(unsafe) var saved: Set<NSManagedObject>?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
        ) { saved = $0.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? [] }
        defer { NotificationCenter.default.removeObserver(token) }
        try stack.context.save()
        #expect(saved == [])
        #expect(department.value(forKey: "floor") as? Int == 3)
        #expect(department.value(forKeyPath: "employees.@count") as? Int == 1)
    }

    /// Resolves conflicts, and fails the save nevertheless.
    private final class FailingPolicy: NSMergePolicy, @unchecked Sendable {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            try super.resolve(optimisticLockingConflicts: list)
            throw CocoaError(.featureUnsupported)
        }
    }

    @Test("A controller sorts by the values that objects took from the store, even if the save fails")
    func listAfterFailedSave() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann", "salary": 1])
        stack.insert("Employee", ["name": "Bob", "salary": 2])
        try stack.context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(key: "salary", ascending: true)]
        let list = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        let delegate = ListDelegate()
        list.delegate = delegate
        try list.performFetch()
        let other = try stack.reopened()
        try other.fetch("Employee", "name == 'Ann'")[0].setValue(3, forKey: "salary")
        try other.context.save()
        ann.setValue("Eve", forKey: "name")
        stack.context.mergePolicy = FailingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        #expect(throws: CocoaError.self) { try stack.context.save() }
        stack.context.processPendingChanges()
        #expect(ann.value(forKey: "salary") as? Int == 3)
        #expect(list.fetchedObjects?.map { $0.value(forKey: "name") as? String } == ["Bob", "Eve"])
        withExtendedLifetime(delegate) {}
    }

    private final class ListDelegate: NSObject, NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>
        ) {}
    }

    // MARK: What conflicts say

    private func conflict(_ dispute: Dispute) throws -> NSMergeConflict {
        let error = #expect(throws: NSError.self) { try dispute.stack.context.save() }
        let list = try #require(error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
        return try #require(list.first { $0.sourceObject === dispute.ann })
    }

    @Test("A conflict with a cached row has a cached snapshot and no persisted one")
    func sameCoordinator() throws {
        let dispute = try Dispute(.error, isForeign: false)
        let conflict = try conflict(dispute)
        #expect(conflict.oldVersionNumber == 1)
        #expect(conflict.newVersionNumber == 2)
        #expect(conflict.objectSnapshot?["salary"] as? Int == 2)
        #expect(conflict.cachedSnapshot?["salary"] as? Int == 3)
        #expect(conflict.persistedSnapshot == nil)
        #expect(conflict.description.contains("new cached row"))
    }

    @Test("A conflict with another coordinator's save has a cached and a persisted snapshot")
    func otherCoordinator() throws {
        let dispute = try Dispute(.error, isForeign: true)
        let conflict = try conflict(dispute)
        #expect(conflict.objectSnapshot?["salary"] as? Int == 2)
        #expect(conflict.cachedSnapshot?["salary"] as? Int == 1)
        #expect(conflict.persistedSnapshot?["salary"] as? Int == 3)
        #expect(conflict.description.contains("new database row"))
    }

    @Test("Snapshots have to-one object IDs, NSNull for nil, and no to-many relationships")
    func snapshots() throws {
        let dispute = try Dispute(.error, isForeign: true)
        let conflict = try conflict(dispute)
        let ids = [conflict.objectSnapshot, conflict.cachedSnapshot, conflict.persistedSnapshot].map {
            $0?["department"] as? NSManagedObjectID
        }
        #expect(ids == ["mine", "base", "theirs"].map { dispute.rooms[$0]?.objectID })
        #expect(conflict.objectSnapshot?["desk"] is NSNull)
        #expect(conflict.persistedSnapshot?["born"] is NSNull)
        #expect(conflict.objectSnapshot?.keys.contains("projects") == false)
    }

    // MARK: Policies of one's own

    /// The higher salary wins; the base policy decides everything else.
    private final class HigherSalary: NSMergePolicy {
        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            var salaries: [(NSManagedObject, Int)] = []
            for conflict in list {
                let theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot
                guard let mine = conflict.objectSnapshot?["salary"] as? Int,
                    let stored = theirs?["salary"] as? Int
                else { continue }
                salaries.append((conflict.sourceObject, max(mine, stored)))
            }
            try super.resolve(optimisticLockingConflicts: list)
            for (object, salary) in salaries { object.setValue(salary, forKey: "salary") }
        }
    }

    @Test(
        "A policy's subclass may call super first and then decide one property",
        arguments: [false, true])
    func higherSalary(isForeign: Bool) throws {
        let policy = HigherSalary(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        let dispute = try Dispute(policy, isForeign: isForeign)
        try dispute.stack.context.save()
        try dispute.check(["mine", "3", "3", "mine"], projects: ["base", "mine", "theirs"])
    }

    /// Resolves nothing.
    private final class Idle: NSMergePolicy {
        override func resolve(mergeConflicts list: [Any]) throws {}
    }

    /// Refuses with an error of its own.
    private final class Refusing: NSMergePolicy {
        override func resolve(mergeConflicts list: [Any]) throws {
            throw NSError(domain: "Dispute", code: list.count)
        }
    }

    @Test("An error thrown by a policy is the save's error, and the changes stay")
    func refusing() throws {
        let dispute = try Dispute(Refusing(merge: .errorMergePolicyType), isForeign: true)
        let error = #expect(throws: NSError.self) { try dispute.stack.context.save() }
        #expect(error?.domain == "Dispute")
        #expect((error?.code ?? 0) >= 1)
        #expect(dispute.values(dispute.ann) == ["mine", "2", "1", "mine"])
        #expect(dispute.ann.isUpdated)
    }

    @Test("A policy that resolves nothing fails the save instead of looping")
    func idle() throws {
        let dispute = try Dispute(Idle(merge: .errorMergePolicyType), isForeign: true)
        let error = #expect(throws: NSError.self) { try dispute.stack.context.save() }
        #expect(error?.code == NSPersistentStoreSaveConflictsError)
    }

    /// Passes conflicts of its own making to the framework.
    private final class Rewriting: NSMergePolicy {
        override func resolve(mergeConflicts list: [Any]) throws {
            let rewritten = list.compactMap { $0 as? NSMergeConflict }.map {
                NSMergeConflict(
                    source: $0.sourceObject, newVersion: $0.newVersionNumber, oldVersion: $0.oldVersionNumber,
                    cachedSnapshot: $0.cachedSnapshot, persistedSnapshot: $0.persistedSnapshot)
            }
            try super.resolve(mergeConflicts: rewritten)
        }
    }

    @Test("A conflict created by an app is resolved against the current row", arguments: [false, true])
    func rewriting(isForeign: Bool) throws {
        let policy = Rewriting(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        let dispute = try Dispute(policy, isForeign: isForeign)
        try dispute.stack.context.save()
        try dispute.check(["mine", "3", "3", "theirs"], projects: ["base", "mine", "theirs"])
    }

    @Test("If both sides changed an order, object trump and overwrite keep the context's")
    func ordered() throws {
        for (policy, expected) in [
            (NSMergePolicy.mergeByPropertyObjectTrump, ["c", "a", "b"]),
            (.overwrite, ["c", "a", "b"]),
            (.rollback, ["b", "a", "c"]),
        ] {
            let stack = try CompanyStack()
            stack.context.mergePolicy = policy
            let tasks = ["a", "b", "c"].map { stack.insert("Task", ["name": $0]) }
            let project = stack.insert("Project", ["tasks": NSOrderedSet(array: tasks)])
            try stack.context.save()
            let other = try stack.reopened()
            let twins = try other.fetch("Task")
            let twin = try #require(try other.fetch("Project").first)
            twin.setValue(NSOrderedSet(array: [twins[1], twins[0], twins[2]]), forKey: "tasks")
            try other.context.save()
            project.setValue(NSOrderedSet(array: [tasks[2], tasks[0], tasks[1]]), forKey: "tasks")
            try stack.context.save()
            let third = try stack.reopened()
            let stored = try #require(try third.fetch("Project").first)
            for object in [project, stored] {
                let tasks = object.value(forKey: "tasks") as? NSOrderedSet
                let names = tasks?.array.compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "name") as? String
                }
                #expect(names == expected, "\(policy.mergeType)")
            }
        }
    }
}
