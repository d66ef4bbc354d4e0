import CoreData
import Foundation
import Testing

@Suite("Undo of a context's changes", .serialized)
@MainActor
struct UndoTests {
    /// A company whose context has an undo manager; each event is a group of its own.
    private struct Undoing {
        let stack: TestStack
        let manager = UndoManager()
        var context: NSManagedObjectContext { stack.context }

        @MainActor
        init() throws {
            stack = try CompanyStack()
            manager.groupsByEvent = false
            stack.context.undoManager = manager
        }

        /// Makes changes and saves them, with nothing to undo.
        @MainActor
        func unrecorded<Result>(_ change: (TestStack) -> Result) throws -> Result {
            manager.disableUndoRegistration()
            defer { manager.enableUndoRegistration() }
            let result = change(stack)
            try context.save()
            return result
        }

        @MainActor
        func event<Result>(_ change: () throws -> Result) rethrows -> Result {
            manager.beginUndoGrouping()
            defer {
                context.processPendingChanges()
                manager.endUndoGrouping()
            }
            return try change()
        }
    }

    private func name(_ object: NSManagedObject) -> String? { object.value(forKey: "name") as? String }

    @Test("Values are undone and redone, and an object with the store's values is unchanged")
    func values() throws {
        let undoing = try Undoing()
        let ann = try undoing.unrecorded { $0.insert("Employee", ["name": "Ann", "tags": ["a"]]) }
        undoing.event { ann.setValue("Bo", forKey: "name") }
        undoing.event {
            ann.setValue("Cid", forKey: "name")
            ann.setValue(7, forKey: "salary")
            ann.setValue(["b"], forKey: "tags")
        }
        undoing.context.undo()
        #expect(name(ann) == "Bo")
        #expect(ann.value(forKey: "salary") as? Int == 10)
        #expect(ann.value(forKey: "tags") as? [String] == ["a"])
        #expect(ann.hasChanges)
        undoing.context.undo()
        #expect(name(ann) == "Ann")
        #expect(!undoing.context.hasChanges)
        #expect(!undoing.manager.canUndo)
        undoing.context.redo()
        undoing.context.redo()
        #expect(name(ann) == "Cid")
        #expect(ann.value(forKey: "salary") as? Int == 7)
        #expect(ann.value(forKey: "tags") as? [String] == ["b"])
        #expect(undoing.manager.canUndo)
        #expect(!undoing.manager.canRedo)
        undoing.context.undo()
        undoing.event { ann.setValue("Eve", forKey: "name") }
        #expect(!undoing.manager.canRedo)
        try undoing.context.save()
        #expect(try undoing.stack.reopened().names("Employee") == ["Eve"])
    }

    @Test(
        "An undone insertion leaves no trace, and redo restores the object with its relationships"
    )
    func insertion() throws {
        let undoing = try Undoing()
        let department = try undoing.unrecorded { $0.insert("Department", ["name": "d"]) }
        let (ann, project) = undoing.event {
            let ann = undoing.stack.insert("Employee", ["name": "Ann", "department": department])
            let project = undoing.stack.insert("Project", ["name": "p"])
            ann.mutableSetValue(forKey: "projects").add(project)
            return (ann, project)
        }
        undoing.context.undo()
        #expect(!undoing.context.hasChanges)
        #expect(ann.managedObjectContext == nil)
        #expect((department.value(forKey: "employees") as? NSSet)?.count == 0)
        #expect(try undoing.stack.names("Employee") == [])
        undoing.context.redo()
        #expect(undoing.context.insertedObjects == [ann, project])
        #expect(ann.value(forKey: "department") as? NSManagedObject === department)
        #expect(department.value(forKey: "employees") as? Set<NSManagedObject> == [ann])
        #expect(project.value(forKey: "members") as? Set<NSManagedObject> == [ann])
        try undoing.context.save()
        let fresh = try undoing.stack.reopened()
        let stored = try fresh.fetch("Employee")
        #expect(stored.map { $0.value(forKeyPath: "department.name") as? String } == ["d"])
        #expect(stored.map { $0.value(forKeyPath: "projects.name") as? Set<String> } == [["p"]])
    }

    @Test("Undoing a deletion also undoes its delete rules, before and after a save")
    func deletion() throws {
        for savesBetween in [false, true] {
            let undoing = try Undoing()
            let (department, ann, project) = try undoing.unrecorded { stack in
                let department = stack.insert("Department", ["name": "d"])
                let ann = stack.insert("Employee", ["name": "Ann", "department": department])
                let project = stack.insert("Project", ["name": "p"])
                project.mutableSetValue(forKey: "members").add(ann)
                let tasks = ["2", "1"].map { stack.insert("Task", ["name": $0]) }
                project.setValue(NSOrderedSet(array: tasks), forKey: "tasks")
                return (department, ann, project)
            }
            undoing.event { undoing.context.delete(department) }
            #expect(undoing.context.deletedObjects == [department, ann])
            undoing.event { undoing.context.delete(project) }
            if savesBetween { try undoing.context.save() }
            undoing.context.undo()
            undoing.context.undo()
            #expect(ann.value(forKey: "department") as? NSManagedObject === department)
            #expect(department.value(forKey: "employees") as? Set<NSManagedObject> == [ann])
            #expect(project.value(forKey: "members") as? Set<NSManagedObject> == [ann])
            #expect(undoing.context.hasChanges == savesBetween)
            #expect(try undoing.stack.names("Employee") == ["Ann"])
            try undoing.context.save()
            let fresh = try undoing.stack.reopened()
            #expect(try fresh.names("Employee", "department.name == 'd'") == ["Ann"])
            #expect(try fresh.names("Project", "ANY members.name == 'Ann'") == ["p"])
            let stored = try fresh.fetch("Project")[0].value(forKey: "tasks") as? NSOrderedSet
            #expect(stored?.map { ($0 as? NSManagedObject).flatMap(name) } == ["2", "1"])
            undoing.context.redo()
            #expect(try undoing.stack.names("Employee") == [])
            undoing.context.redo()
            try undoing.context.save()
            #expect(try undoing.stack.reopened().fetch("Project").isEmpty)
        }
    }

    @Test("Relationships are restored on both sides, ordered ones in their order")
    func relationships() throws {
        let undoing = try Undoing()
        let (departments, ann, project, tasks) = try undoing.unrecorded { stack in
            let departments = ["d", "e"].map { stack.insert("Department", ["name": $0]) }
            let project = stack.insert("Project", ["name": "p"])
            return (
                departments, stack.insert("Employee", ["name": "Ann", "department": departments[0]]), project,
                ["1", "2", "3"].map { stack.insert("Task", ["name": $0, "project": project]) }
            )
        }
        undoing.event { ann.setValue(departments[1], forKey: "department") }
        undoing.event { project.setValue(NSOrderedSet(array: [tasks[2], tasks[0]]), forKey: "tasks") }
        undoing.context.undo()
        let order = project.value(forKey: "tasks") as? NSOrderedSet
        #expect(order?.array as? [NSManagedObject] == tasks)
        #expect(tasks[1].value(forKey: "project") as? NSManagedObject === project)
        undoing.context.undo()
        #expect(departments[0].value(forKey: "employees") as? Set<NSManagedObject> == [ann])
        #expect(departments[1].value(forKey: "employees") as? Set<NSManagedObject> == [])
        #expect(!undoing.context.hasChanges)
        undoing.context.redo()
        #expect(departments[1].value(forKey: "employees") as? Set<NSManagedObject> == [ann])
        try undoing.context.save()
        #expect(try undoing.stack.reopened().names("Employee", "department.name == 'e'") == ["Ann"])
    }

    @Test("Disabled registration records nothing, and rollback and reset clear the undo stack")
    func registration() throws {
        let undoing = try Undoing()
        let ann = try undoing.unrecorded { $0.insert("Employee", ["name": "Ann"]) }
        #expect(!undoing.manager.canUndo)
        undoing.event { ann.setValue("Bo", forKey: "name") }
        #expect(undoing.manager.canUndo)
        undoing.context.rollback()
        #expect(!undoing.manager.canUndo)
        #expect(name(ann) == "Ann")
        undoing.event { ann.setValue("Bo", forKey: "name") }
        undoing.context.reset()
        #expect(!undoing.manager.canUndo)
    }

    @Test("Undo calls the objects' hooks, and reports an undone deletion as an insertion")
    func hooks() throws {
        let undoing = try Undoing()
        let ann = try undoing.unrecorded { $0.insert("Employee", ["name": "Ann"]) }
        undoing.event { undoing.context.delete(ann) }
        nonisolated(unsafe) var seen: [AnyHashable: Any] = [:]
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: undoing.context, queue: nil
        ) { seen = $0.userInfo ?? [:] }
        defer { NotificationCenter.default.removeObserver(token) }
        undoing.context.undo()
        #expect(seen[NSInsertedObjectsKey] as? Set<NSManagedObject> == [ann])
        #expect(!ann.isDeleted)
        #expect(!undoing.context.hasChanges)
        undoing.context.redo()
        #expect(seen[NSDeletedObjectsKey] as? Set<NSManagedObject> == [ann])
        #expect(ann.isDeleted)
    }
}
