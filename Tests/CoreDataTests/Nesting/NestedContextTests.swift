import CoreData
import Foundation
import Testing

@Suite("Nested contexts", .serialized)
@MainActor
struct NestedContextTests {
    private typealias Stack = NestedStack

    @Test("A fetch sees the ancestors' unsaved changes, with its own changes on top")
    func fetching() throws {
        let nested = try NestedStack()
        for name in ["a", "b", "c", "d"] { nested.stack.insert("Project", ["name": name]) }
        try nested.parent.save()
        nested.stack.insert("Project", ["name": "e"])
        try Stack.first(nested.parent, "Project", "a").setValue("z", forKey: "name")
        nested.parent.delete(try Stack.first(nested.parent, "Project", "b"))
        #expect(try Stack.names(nested.child, "Project") == ["c", "d", "e", "z"])
        try nested.child.performAndWait {
            try Stack.first(nested.child, "Project", "c").setValue("f", forKey: "name")
            nested.child.delete(try Stack.first(nested.child, "Project", "e"))
            _ = nested.child.insert("Project", ["name": "g"])
        }
        #expect(try Stack.names(nested.child, "Project") == ["d", "f", "g", "z"])
        #expect(try Stack.names(nested.grandchild, "Project") == ["d", "f", "g", "z"])
        #expect(try Stack.names(nested.grandchild, "Project", "name > 'd'") == ["f", "g", "z"])
        #expect(try Stack.names(nested.parent, "Project") == ["c", "d", "e", "z"])
        try nested.grandchild.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            request.fetchOffset = 1
            request.fetchLimit = 2
            let window = try nested.grandchild.fetch(request)
            #expect(window.map { $0.value(forKey: "name") as? String } == ["g", "f"])
            request.fetchBatchSize = 1
            request.fetchLimit = 0
            let batched = try nested.grandchild.fetch(request)
            #expect(batched.map { $0.value(forKey: "name") as? String } == ["g", "f", "d"])
            #expect(
                try nested.grandchild.count(for: NSFetchRequest<NSManagedObject>(entityName: "Project")) == 4)
        }
    }

    @Test("A request without pending changes returns the store's objects")
    func committedOnly() throws {
        let nested = try NestedStack()
        for name in ["a", "b"] { nested.stack.insert("Project", ["name": name]) }
        try nested.parent.save()
        nested.stack.insert("Project", ["name": "c"])
        nested.parent.delete(try Stack.first(nested.parent, "Project", "a"))
        try nested.child.performAndWait { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.includesPendingChanges = false
            #expect(try nested.child.count(for: request) == 2)
            #expect(try nested.child.fetch(request).count == 2)
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Project")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name"]
            dictionaries.includesPendingChanges = false
            #expect(Set(try nested.child.fetch(dictionaries).map { $0["name"] as? String }) == ["a", "b"])
        }
    }

    @Test("A save moves changes one level up")
    func saving() throws {
        let nested = try NestedStack()
        try nested.grandchild.performAndWait {
            _ = nested.grandchild.insert("Project", ["name": "a"])
            try nested.grandchild.save()
            #expect(!nested.grandchild.hasChanges)
        }
        #expect(nested.child.performAndWait { nested.child.insertedObjects.count } == 1)
        #expect(!nested.parent.hasChanges)
        try nested.child.performAndWait { try nested.child.save() }
        #expect(nested.parent.insertedObjects.count == 1)
        #expect(try nested.stored("Project") == [])
        try nested.parent.save()
        #expect(try nested.stored("Project") == ["a"])
    }

    @Test("Every kind of relationship reaches the store, to objects of any level")
    func relationships() throws {
        let nested = try NestedStack()
        nested.stack.insert("Department", ["name": "stored"])
        try nested.parent.save()
        nested.stack.insert("Department", ["name": "parent's"])
        let ann = nested.stack.insert("Employee", ["name": "Ann"])
        let context = nested.grandchild
        try context.performAndWait {
            let bo = context.insert("Employee", ["name": "Bo"])
            let cid = context.insert("Employee", ["name": "Cid"])
            bo.setValue(try Stack.first(context, "Department", "stored"), forKey: "department")
            cid.setValue(try Stack.first(context, "Department", "parent's"), forKey: "department")
            bo.setValue(context.insert("Desk", ["name": "desk"]), forKey: "desk")
            bo.mutableSetValue(forKey: "friends").add(try Stack.first(context, "Employee", "Ann"))
            let project = context.insert("Project", ["name": "p"])
            project.mutableSetValue(forKey: "members").addObjects(from: [bo, cid])
            bo.mutableSetValue(forKey: "favourites").add(project)
            let tasks = ["3", "1", "2"].map { context.insert("Task", ["name": $0]) }
            project.setValue(NSOrderedSet(array: tasks), forKey: "tasks")
            try context.save()
        }
        try nested.child.performAndWait { try nested.child.save() }
        #expect(ann.value(forKeyPath: "friends.name") as? Set<String> == ["Bo"])
        try nested.parent.save()
        let reopened = try nested.stack.reopened()
        let bo = try #require(try reopened.fetch("Employee", "name == 'Bo'").first)
        #expect(bo.value(forKeyPath: "department.name") as? String == "stored")
        #expect(bo.value(forKeyPath: "desk.name") as? String == "desk")
        #expect(bo.value(forKeyPath: "friends.name") as? Set<String> == ["Ann"])
        #expect(bo.value(forKeyPath: "favourites.name") as? Set<String> == ["p"])
        #expect(try reopened.names("Employee", "department.name == \"parent's\"") == ["Cid"])
        let project = try reopened.fetch("Project")[0]
        #expect(project.value(forKeyPath: "members.name") as? Set<String> == ["Bo", "Cid"])
        let tasks = project.value(forKey: "tasks") as? NSOrderedSet
        #expect(tasks?.map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["3", "1", "2"])
    }

    @Test("Only the child's changes move up, and the parent's own changes stay")
    func properties() throws {
        let nested = try NestedStack()
        let ann = nested.stack.insert("Employee", ["name": "Ann", "salary": 1])
        let project = nested.stack.insert("Project", ["name": "p"])
        project.mutableSetValue(forKey: "members").add(ann)
        try nested.parent.save()
        let twin = try nested.child.performAndWait { try Stack.first(nested.child, "Employee", "Ann") }
        nested.child.performAndWait {
            twin.setValue(2, forKey: "salary")
            twin.mutableSetValue(forKey: "projects").add(nested.child.insert("Project", ["name": "q"]))
        }
        ann.setValue("Eve", forKey: "name")
        ann.mutableSetValue(forKey: "projects").remove(project)
        ann.mutableSetValue(forKey: "projects").add(nested.stack.insert("Project", ["name": "r"]))
        try nested.child.performAndWait { try nested.child.save() }
        #expect(ann.value(forKey: "name") as? String == "Eve")
        #expect(ann.value(forKey: "salary") as? Int == 2)
        #expect(ann.value(forKeyPath: "projects.name") as? Set<String> == ["q", "r"])
        nested.child.performAndWait {
            #expect(twin.value(forKey: "name") as? String == "Ann")
            nested.child.refresh(twin, mergeChanges: false)
            #expect(twin.value(forKey: "name") as? String == "Eve")
            #expect(twin.value(forKeyPath: "projects.name") as? Set<String> == ["q", "r"])
        }
        try nested.parent.save()
        let fresh = try nested.stack.reopened()
        let stored = try fresh.fetch("Employee")[0]
        #expect(stored.value(forKeyPath: "projects.name") as? Set<String> == ["q", "r"])
    }

    @Test("Deleting applies the delete rules, also to objects that only the parent has")
    func deleting() throws {
        let nested = try NestedStack()
        let department = nested.stack.insert("Department", ["name": "d"])
        nested.stack.insert("Employee", ["name": "Ann", "department": department])
        let project = nested.stack.insert("Project", ["name": "p"])
        try nested.parent.save()
        let bo = nested.stack.insert("Employee", ["name": "Bo", "department": department])
        project.mutableSetValue(forKey: "members").add(bo)
        try nested.child.performAndWait {
            nested.child.delete(try Stack.first(nested.child, "Department", "d"))
            try nested.child.save()
            #expect(try Stack.names(nested.child, "Employee") == [])
        }
        #expect(try nested.stack.names("Employee") == [])
        #expect(nested.parent.deletedObjects.count == 2)
        #expect((project.value(forKey: "members") as? NSSet)?.count == 0)
        #expect(!nested.parent.insertedObjects.contains(bo))
        try nested.parent.save()
        #expect(try nested.stored("Employee") == [])
        #expect(try nested.stored("Department") == [])
        #expect(try nested.stored("Project") == ["p"])
    }

    @Test("Objects keep their identity through saves at every level, and get permanent IDs")
    func identity() throws {
        let nested = try NestedStack()
        let context = nested.grandchild
        let (department, employee, temporaryID) = try context.performAndWait {
            let department = context.insert("Department", ["name": "d"])
            let employee = context.insert("Employee", ["name": "Ann", "department": department])
            try context.save()
            return (department, employee, employee.objectID)
        }
        #expect(temporaryID.isTemporaryID)
        try nested.child.performAndWait {
            #expect(nested.child.object(with: temporaryID).value(forKey: "name") as? String == "Ann")
            #expect(try nested.child.existingObject(with: temporaryID).objectID == temporaryID)
            try nested.child.save()
        }
        let above = nested.parent.object(with: temporaryID)
        try nested.parent.save()
        let permanentID = above.objectID
        #expect(!permanentID.isTemporaryID)
        try context.performAndWait {
            #expect(employee.objectID == permanentID)
            #expect(!department.objectID.isTemporaryID)
            #expect(context.object(with: temporaryID) === employee)
            #expect(context.object(with: permanentID) === employee)
            #expect(employee.value(forKey: "department") as? NSManagedObject === department)
            #expect(!employee.hasChanges)
            let found = try context.fetch("Employee", "department == %@", [department], sortedBy: nil)
            #expect(found == [employee])
            #expect(department.value(forKey: "employees") as? Set<NSManagedObject> == [employee])
            employee.setValue("Eve", forKey: "name")
            try context.save()
        }
        try nested.child.performAndWait {
            #expect(nested.child.updatedObjects.map(\.objectID) == [permanentID])
            try nested.child.save()
        }
        #expect(above.value(forKey: "name") as? String == "Eve")
        #expect(nested.parent.updatedObjects == [above])
        try nested.parent.save()
        #expect(try nested.stored("Employee") == ["Eve"])
    }

    @Test("A child can obtain permanent IDs before anything is saved")
    func obtainedIDs() throws {
        let nested = try NestedStack()
        let theirs = nested.stack.insert("Project", ["name": "theirs"])
        let ids = try nested.child.performAndWait {
            let own = nested.child.insert("Project", ["name": "own"])
            let parents = try Stack.first(nested.child, "Project", "theirs")
            try nested.child.obtainPermanentIDs(for: [own, parents])
            try nested.child.save()
            return [own.objectID, parents.objectID]
        }
        #expect(ids.allSatisfy { !$0.isTemporaryID })
        #expect(theirs.objectID == ids[1])
        try nested.parent.save()
        let names = ids.map { nested.parent.object(with: $0).value(forKey: "name") as? String }
        #expect(names == ["own", "theirs"])
        #expect(try nested.stored("Project") == ["own", "theirs"])
    }

    @Test("Rolling back a child leaves its parent alone; objects deleted in the parent are gone")
    func rollback() throws {
        let nested = try NestedStack()
        let project = nested.stack.insert("Project", ["name": "p"])
        let doomed = nested.stack.insert("Project", ["name": "doomed"])
        try nested.child.performAndWait {
            let twin = try Stack.first(nested.child, "Project", "p")
            twin.setValue("q", forKey: "name")
            nested.child.rollback()
            #expect(twin.value(forKey: "name") as? String == "p")
            #expect(!nested.child.hasChanges)
        }
        #expect(project.value(forKey: "name") as? String == "p")
        let id = doomed.objectID
        nested.parent.delete(doomed)
        nested.parent.processPendingChanges()
        #expect(throws: CocoaError.self) {
            _ = try nested.child.performAndWait { try nested.child.existingObject(with: id) }
        }
    }

    @Test("A deletion in the parent wins over a change in the child")
    func deletedAbove() throws {
        let nested = try NestedStack()
        let ann = nested.stack.insert("Employee", ["name": "Ann"])
        try nested.parent.save()
        let twin = try nested.child.performAndWait { try Stack.first(nested.child, "Employee", "Ann") }
        nested.child.performAndWait { twin.setValue("Eve", forKey: "name") }
        nested.parent.delete(ann)
        try nested.child.performAndWait { try nested.child.save() }
        try nested.parent.save()
        #expect(try nested.stored("Employee") == [])
    }

    @Test(
        "Refetching refreshes objects with the parent's values, saved or not, batched or not",
        arguments: [true, false], [0, 1])
    func refetching(isSaved: Bool, batchSize: Int) throws {
        let nested = try NestedStack()
        let project = nested.stack.insert("Project", ["name": "a"])
        if isSaved { try nested.parent.save() }
        let mine = try nested.child.performAndWait { () throws in
            let mine = try Stack.first(nested.child, "Project", "a")
            #expect(mine.value(forKey: "name") as? String == "a")
            return mine
        }
        project.setValue("b", forKey: "name")
        try nested.child.performAndWait { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
            request.fetchBatchSize = batchSize
            _ = try nested.child.fetch(request)
            #expect(mine.value(forKey: "name") as? String == "a")
            request.shouldRefreshRefetchedObjects = true
            _ = try nested.child.fetch(request)
            #expect(mine.value(forKey: "name") as? String == "b")
        }
    }
}
