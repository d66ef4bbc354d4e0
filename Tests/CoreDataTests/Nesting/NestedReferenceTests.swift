import CoreData
import Foundation
import Testing

/// The IDs that a tree's contexts use for an object while it is saved.
@Suite("Object IDs in trees of contexts")
@MainActor
struct NestedReferenceTests {
    /// A department with two employees, which the child has saved and the root has not.
    private final class Tree {
        let stack: TestStack
        let root = BusyContext(.privateQueue)
        let child = NSManagedObjectContext(.privateQueue)
        let department: NSManagedObject
        let employees: Set<NSManagedObject>

        init() throws {
            stack = try TestStack(CompanyStack.model())
            root.persistentStoreCoordinator = stack.coordinator
            child.parent = root
            (department, employees) = try child.performAndWait { [child] in
                let department = child.insert("Department", ["name": "d"])
                let employees = ["Ann", "Bo"].map {
                    child.insert("Employee", ["name": $0, "department": department])
                }
                try child.save()
                return (department, Set(employees))
            }
        }

        var all: Set<NSManagedObject> { employees.union([department]) }

        /// The root saves before it answers the next question.
        func saveMeanwhile() { root.first = { [unowned root] in try! root.save() } }

        func saveRoot() throws { try root.performAndWait { try root.save() } }

        func ids(_ request: NSFetchRequest<NSManagedObjectID>) throws -> [NSManagedObjectID] {
            request.resultType = .managedObjectIDResultType
            return try child.performAndWait { try child.fetch(request) }
        }

        /// Returns the names in the store.
        func stored() throws -> [String?] {
            try stack.stored("Employee", "name").map { $0 as? String }
        }
    }

    private nonisolated static let questions:
        [(name: String, ask: @Sendable (Tree) throws -> [NSManagedObject])] = [
            ("a fetch", { try $0.child.fetch("Employee", nil, [], sortedBy: nil) + [$0.department] }),
            (
                "a fetch by a relationship",
                {
                    try $0.child.fetch("Employee", "department == %@", [$0.department], sortedBy: nil) + [
                        $0.department
                    ]
                }
            ),
            (
                "a batched fetch",
                { tree in
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
                    request.fetchBatchSize = 1
                    return try tree.child.fetch(request) + [tree.department]
                }
            ),
            (
                "prefetching",
                { tree in
                    tree.child.refresh(tree.department, mergeChanges: false)
                    tree.saveMeanwhile()
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
                    request.relationshipKeyPathsForPrefetching = ["employees"]
                    let found = try tree.child.fetch(request)
                    return try found
                        + found.flatMap {
                            try #require($0.value(forKey: "employees") as? Set<NSManagedObject>)
                        }
                }
            ),
            (
                "members",
                { tree in
                    tree.child.refresh(tree.department, mergeChanges: false)
                    _ = tree.department.value(forKey: "name")
                    tree.saveMeanwhile()
                    let members = tree.department.value(forKey: "employees")
                    return Array(try #require(members as? Set<NSManagedObject>)) + [tree.department]
                }
            ),
            (
                "a row's destination",
                { tree in
                    for employee in tree.employees {
                        tree.child.refresh(employee, mergeChanges: false)
                        tree.saveMeanwhile()
                        _ = employee.value(forKey: "name")
                    }
                    let departments = tree.employees.compactMap {
                        $0.value(forKey: "department") as? NSManagedObject
                    }
                    #expect(departments == [tree.department, tree.department])
                    return Array(tree.all)
                }
            ),
            (
                "what is in the store",
                { tree in
                    try tree.saveRoot()
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
                    request.includesPendingChanges = false
                    return try tree.child.fetch(request) + [tree.department]
                }
            ),
        ]

    @Test(
        "A nested context recognises its objects in its parent's results after a save",
        arguments: questions.indices)
    func answers(_ index: Int) throws {
        let tree = try Tree()
        try tree.child.performAndWait {
            tree.saveMeanwhile()
            let found = try Self.questions[index].ask(tree)
            #expect(Set(found) == tree.all, "\(Self.questions[index].name)")
            #expect(found.count == 3, "\(Self.questions[index].name)")
            #expect(tree.root.first == nil)
            #expect(!tree.child.hasChanges)
            let employee = try #require(tree.employees.first)
            employee.setValue("Eve", forKey: "name")
            try tree.child.save()
            #expect(try tree.child.existingObject(with: employee.objectID) === employee)
            #expect(tree.child.registeredObjects == tree.all)
        }
        try tree.saveRoot()
        #expect(try tree.stored().contains("Eve"))
    }

    @Test("Counts and conditions on objects stay correct while the objects are being saved")
    func counting() throws {
        let tree = try Tree()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = NSPredicate(format: "department == %@", argumentArray: [tree.department])
        tree.saveMeanwhile()
        #expect(try tree.child.performAndWait { try tree.child.count(for: request) } == 2)
        #expect(tree.root.performAndWait { !tree.root.hasChanges })
    }

    @Test("Fetched IDs are those of the context's objects, saved or not")
    func fetchedIDs() throws {
        let tree = try Tree()
        let unsaved = try tree.ids(NSFetchRequest(entityName: "Employee"))
        #expect(unsaved.allSatisfy { $0.isTemporaryID })
        #expect(Set(unsaved) == Set(tree.employees.map(\.objectID)))
        tree.saveMeanwhile()
        let saved = try tree.ids(NSFetchRequest(entityName: "Employee"))
        #expect(saved.allSatisfy { !$0.isTemporaryID })
        #expect(Set(saved) == Set(tree.employees.map(\.objectID)))
        tree.child.performAndWait {
            let objects = (saved + unsaved).map(tree.child.object)
            #expect(Set(objects) == tree.employees)
        }
    }

    @Test("An object that its parent saves meanwhile does not get a second permanent ID")
    func obtainingWhileSaving() throws {
        let tree = try Tree()
        tree.saveMeanwhile()
        try tree.child.performAndWait {
            try tree.child.obtainPermanentIDs(for: Array(tree.all))
            for employee in tree.employees { employee.setValue("Eve", forKey: "name") }
            try tree.child.save()
        }
        try tree.saveRoot()
        #expect(try tree.stored() == ["Eve", "Eve"])
    }

    @Test(
        "A permanent ID obtained by a nested context is saved, even after the context is freed"
    )
    func obtainedAndGone() throws {
        let stack = try TestStack(CompanyStack.model())
        let root = stack.sibling(.privateQueue)
        let ids = try { () throws in
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = root
            return try child.performAndWait {
                let department = child.insert("Department", ["name": "d"])
                let employee = child.insert("Employee", ["name": "Ann", "department": department])
                try child.save()
                try child.obtainPermanentIDs(for: [employee, department])
                return [employee.objectID, department.objectID]
            }
        }()
        try root.performAndWait {
            try root.save()
            let objects = try ids.map(root.existingObject)
            #expect(objects[0].value(forKey: "department") as? NSManagedObject === objects[1])
        }
    }

    @Test("A fetch during a commit returns the object that the tree already has for a new row")
    func committing() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyStack.model())
        let store = try SteppedStore.added(to: coordinator, Interleaving())
        let root = coordinator.context(.privateQueue)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = root
        let employee = try child.performAndWait {
            let employee = child.insert("Employee", ["name": "Ann"])
            try child.save()
            return employee
        }
        var found: [NSManagedObject] = []
        store.didCommit = { _, _ in
            child.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
                request.includesPendingChanges = false
                found = (try? child.fetch(request)) ?? []
            }
        }
        try root.performAndWait { try root.save() }
        child.performAndWait {
            #expect(found == [employee])
            #expect(child.registeredObjects == [employee])
            #expect(child.object(with: employee.objectID) === employee)
        }
    }

    // MARK: What the parent took back

    @Test("A nested context may change an object whose insertion its parent has rolled back")
    func rolledBackAbove() throws {
        let tree = try Tree()
        tree.root.performAndWait { tree.root.rollback() }
        try tree.child.performAndWait {
            for employee in tree.employees { employee.setValue("Eve", forKey: "name") }
            try tree.child.save()
        }
        try tree.saveRoot()
        #expect(try tree.stored() == [])
    }

    @Test("Rows cached by a parent are not used for objects that it no longer has")
    func forgottenRows() throws {
        let tree = try Tree()
        let grandchild = NSManagedObjectContext(.privateQueue)
        grandchild.parent = tree.child
        let id = try grandchild.performAndWait {
            let employee = grandchild.insert("Employee", ["name": "Cid"])
            try grandchild.save()
            return employee.objectID
        }
        try tree.child.performAndWait { try tree.child.save() }
        tree.root.performAndWait { tree.root.rollback() }
        grandchild.performAndWait {
            grandchild.reset()
            #expect(throws: CocoaError.self) { try grandchild.existingObject(with: id) }
        }
    }

    @Test(
        "A rollback restores deleted objects as faults, whose rows can then be read")
    func lostAndFound() throws {
        let tree = try Tree()
        try tree.saveRoot()
        let employee = try #require(tree.employees.first)
        let id = tree.child.performAndWait { employee.objectID }
        tree.root.performAndWait { tree.root.delete(tree.root.object(with: id)) }
        tree.child.performAndWait {
            tree.child.refresh(employee, mergeChanges: false)
            #expect(employee.value(forKey: "name") == nil)
            #expect(employee.isDeleted)
        }
        tree.root.performAndWait { tree.root.rollback() }
        tree.child.performAndWait {
            tree.child.rollback()
            #expect(!employee.isDeleted)
            #expect(employee.isFault)
            #expect(employee.value(forKey: "name") != nil)
            #expect(!employee.isDeleted)
        }
    }
}
