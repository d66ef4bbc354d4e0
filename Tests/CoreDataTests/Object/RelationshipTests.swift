import CoreData
import Foundation
import Testing

@Suite("Both sides of relationships")
@MainActor
struct RelationshipTests {
    private func set(_ object: NSManagedObject, _ key: String) -> Set<NSManagedObject> {
        object.value(forKey: key) as? Set<NSManagedObject> ?? []
    }

    @Test("One to many: setting one side sets the other, and moving removes the old pair")
    func oneToMany() throws {
        let stack = try CompanyStack()
        let (first, second) = (
            stack.insert("Department", ["name": "A"]), stack.insert("Department", ["name": "B"])
        )
        let employee = stack.insert("Employee", ["name": "Ann", "department": first])
        #expect(set(first, "employees") == [employee])
        second.mutableSetValue(forKey: "employees").add(employee)
        #expect(employee.value(forKey: "department") as? NSManagedObject === second)
        #expect(set(first, "employees").isEmpty)
        try stack.context.save()
        let other = try stack.reopened()
        #expect(try other.names("Employee", "department.name == %@", "B") == ["Ann"])
        #expect(try other.names("Department", "employees.@count == 1") == ["B"])
    }

    @Test("A fault's changedValues include a relationship changed by its inverse")
    func changedFault() throws {
        let stack = try CompanyStack()
        stack.insert("Department", ["name": "A"])
        try stack.context.save()
        let other = try stack.reopened()
        let department = try #require(try other.fetch("Department").first)
        let ann = other.insert("Employee", ["name": "Ann", "department": department])
        #expect(department.isFault)
        #expect(department.changedValues()["employees"] as? Set<NSManagedObject> == [ann])
        #expect(department.hasPersistentChangedValues)
    }

    @Test("One to one: an object that gets a new partner is taken from its old one")
    func oneToOne() throws {
        let stack = try CompanyStack()
        let (ann, bob) = (
            stack.insert("Employee", ["name": "Ann"]), stack.insert("Employee", ["name": "Bob"])
        )
        let desk = stack.insert("Desk", ["name": "1", "owner": ann])
        #expect(ann.value(forKey: "desk") as? NSManagedObject === desk)
        bob.setValue(desk, forKey: "desk")
        #expect(ann.value(forKey: "desk") == nil)
        #expect(desk.value(forKey: "owner") as? NSManagedObject === bob)
        try stack.context.save()
        let other = try stack.reopened()
        #expect(try other.names("Desk", "owner.name == 'Bob'") == ["1"])
        #expect(try other.names("Employee", "desk == nil") == ["Ann"])
    }

    @Test("Many to many: both sides are stored once and read from either")
    func manyToMany() throws {
        let stack = try CompanyStack()
        let people = ["Ann", "Bob", "Cid"].map { stack.insert("Employee", ["name": $0]) }
        let (red, blue) = (
            stack.insert("Project", ["name": "red"]), stack.insert("Project", ["name": "blue"])
        )
        red.setValue(NSSet(array: people), forKey: "members")
        people[0].mutableSetValue(forKey: "projects").add(blue)
        try stack.context.save()
        let other = try stack.reopened()
        #expect(try other.names("Employee", "ANY projects.name == 'blue'") == ["Ann"])
        let readRed = try #require(try other.fetch("Project", "name == 'red'").first)
        #expect(set(readRed, "members").count == 3)
        readRed.mutableSetValue(forKey: "members").remove(
            try #require(try other.fetch("Employee", "name == 'Bob'").first))
        try other.context.save()
        #expect(try other.reopened().names("Employee", "ANY projects.name == 'red'") == ["Ann", "Cid"])
    }

    @Test("Ordered to-many: the order is stored, insertions and moves included")
    func ordered() throws {
        let stack = try CompanyStack()
        let project = stack.insert("Project", ["name": "red"])
        let tasks = (0..<5).map { stack.insert("Task", ["name": "\($0)"]) }
        project.setValue(NSOrderedSet(array: tasks), forKey: "tasks")
        try stack.context.save()
        func order(_ stack: TestStack) throws -> [String] {
            let project = try #require(try stack.fetch("Project").first)
            let set = try #require(project.value(forKey: "tasks") as? NSOrderedSet)
            return set.array.map { ($0 as! NSManagedObject).value(forKey: "name") as! String }
        }
        #expect(try order(stack.reopened()) == ["0", "1", "2", "3", "4"])
        let proxy = project.mutableOrderedSetValue(forKey: "tasks")
        proxy.moveObjects(at: IndexSet(integer: 4), to: 0)
        proxy.insert(stack.insert("Task", ["name": "new"]), at: 2)
        proxy.remove(tasks[1])
        try stack.context.save()
        #expect(try order(stack) == ["4", "0", "new", "2", "3"])
        #expect(try order(stack.reopened()) == ["4", "0", "new", "2", "3"])
    }

    @Test("A relationship that is its own inverse is set on both objects")
    func reflexive() throws {
        let stack = try CompanyStack()
        let (ann, bob) = (
            stack.insert("Employee", ["name": "Ann"]), stack.insert("Employee", ["name": "Bob"])
        )
        ann.mutableSetValue(forKey: "friends").add(bob)
        #expect(set(bob, "friends") == [ann])
        try stack.context.save()
        let other = try stack.reopened()
        #expect(try other.names("Employee", "ANY friends.name == 'Ann'") == ["Bob"])
        #expect(try other.names("Employee", "ANY friends.name == 'Bob'") == ["Ann"])
    }

    @Test("A to-many without inverse is stored")
    func withoutInverse() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann"])
        ann.mutableSetValue(forKey: "favourites").add(stack.insert("Project", ["name": "red"]))
        try stack.context.save()
        let other = try stack.reopened()
        let read = try #require(try other.fetch("Employee").first)
        #expect(set(read, "favourites").map { $0.value(forKey: "name") as? String } == ["red"])
    }

    @Test("Adding to a relationship does not load it")
    func unloaded() throws {
        let stack = try CompanyStack()
        stack.insert("Employee", ["name": "Ann", "department": stack.insert("Department", ["name": "A"])])
        try stack.context.save()
        let other = try stack.reopened()
        let department = try #require(try other.fetch("Department").first)
        _ = department.value(forKey: "name")
        other.insert("Employee", ["name": "Bob", "department": department])
        #expect(department.hasFault(forRelationshipNamed: "employees"))
        #expect(set(department, "employees").count == 2)
        try other.context.save()
        #expect(try other.reopened().fetch("Employee", "department.name == 'A'").count == 2)
    }

    @Test("Removing an object that belongs to another owner changes nothing, without loading")
    func removingOthers() throws {
        let stack = try CompanyStack()
        let departments = ["a", "b"].map { stack.insert("Department", ["name": $0]) }
        let employee = stack.insert("Employee", ["name": "Ann", "department": departments[0]])
        try stack.context.save()
        for department in departments { stack.context.refresh(department, mergeChanges: false) }
        departments[1].mutableSetValue(forKey: "employees").remove(employee)
        #expect(employee.value(forKey: "department") as? NSManagedObject === departments[0])
        departments[0].mutableSetValue(forKey: "employees").remove(employee)
        #expect(employee.value(forKey: "department") == nil)
    }

    @Test("Key paths go through relationships, with operators")
    func keyPaths() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        for (name, salary) in [("Ann", 10), ("Bob", 30)] {
            stack.insert("Employee", ["name": name, "salary": salary, "department": department])
        }
        #expect(department.value(forKeyPath: "employees.@count") as? Int == 2)
        #expect(department.value(forKeyPath: "employees.@sum.salary") as? Int == 40)
        #expect(department.value(forKeyPath: "employees.@max.salary") as? Int == 30)
        let ann = try #require(try stack.fetch("Employee", "name == 'Ann'").first)
        #expect(ann.value(forKeyPath: "department.name") as? String == "A")
        ann.setValue("B", forKeyPath: "department.name")
        #expect(department.value(forKey: "name") as? String == "B")
    }
}

@Suite("Delete rules")
@MainActor
struct DeleteRuleTests {
    @Test("Cascade deletes, nullify empties the other side")
    func cascadeAndNullify() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        let project = stack.insert("Project", ["name": "red"])
        let ann = stack.insert("Employee", ["name": "Ann", "department": department])
        let desk = stack.insert("Desk", ["name": "1", "owner": ann])
        project.mutableSetValue(forKey: "members").add(ann)
        try stack.context.save()
        stack.context.delete(department)
        try stack.context.save()
        #expect(ann.managedObjectContext == nil)
        #expect(desk.value(forKey: "owner") == nil)
        let other = try stack.reopened()
        #expect(try other.fetch("Employee").isEmpty)
        #expect(try other.names("Desk", "owner == nil") == ["1"])
        #expect(try other.names("Project", "members.@count == 0") == ["red"])
    }

    @Test("Deny fails the save with 1600 until the destinations are gone")
    func deny() throws {
        let stack = try CompanyStack()
        let company = stack.insert("Company", ["name": "C"])
        let department = stack.insert("Department", ["name": "A", "company": company])
        try stack.context.save()
        stack.context.delete(company)
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "departments")
        stack.context.delete(department)
        try stack.context.save()
        #expect(try stack.reopened().fetch("Company").isEmpty)
    }

    @Test(
        "In prepareForDeletion an object counts as deleted and still has its relationships"
    )
    func markedBeforePreparing() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        let people = ["Ann", "Bob"].map { stack.insert("Employee", ["name": $0, "department": department]) }
        try stack.context.save()
        var left: [Int] = []
        CallLog(in: stack.context).prepareForDeletion = { employee in
            #expect(employee.isDeleted)
            let colleagues = employee.value(forKeyPath: "department.employees") as? Set<NSManagedObject> ?? []
            left.append(colleagues.count { !$0.isDeleted })
        }
        stack.context.delete(people[0])
        stack.context.delete(department)
        try stack.context.save()
        #expect(left == [1, 0])
    }

    @Test("Objects deleted in a cascade's prepareForDeletion leave their relationships, too")
    func deletingFromCascade() throws {
        let stack = try CompanyStack()
        let department = stack.insert("Department", ["name": "A"])
        let ann = stack.insert("Employee", ["name": "Ann", "department": department])
        let bob = stack.insert("Employee", ["name": "Bob"])
        let project = stack.insert("Project", ["name": "red", "members": NSSet(array: [ann, bob])])
        stack.insert("Task", ["name": "1", "project": project])
        try stack.context.save()
        CallLog(in: stack.context).prepareForDeletion = { _ in stack.context.delete(project) }
        stack.context.delete(department)
        try stack.context.save()
        #expect((bob.value(forKey: "projects") as? NSSet)?.count == 0)
        #expect(try stack.names("Task") == [])
        #expect(try stack.names("Project") == [])
        #expect(try stack.reopened().names("Employee", "projects.@count == 0") == ["Bob"])
    }
}
