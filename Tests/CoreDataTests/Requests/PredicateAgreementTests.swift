import CoreData
import Foundation
import Testing

/// Cases that random predicates found.
@Suite("Predicates mean the same in SQL and in memory")
@MainActor
struct PredicateAgreementTests {
    /// Returns a company of two departments. All employees of the first work at the same two projects, those
    /// of the second at none.
    private func company() throws -> TestStack {
        let stack = try CompanyStack()
        let projects = ["P0", "P1"].map { stack.insert("Project", ["name": $0]) }
        let first = stack.insert("Department", ["name": "D0", "floor": 1])
        let second = stack.insert("Department", ["name": "D1"])
        for (name, salary) in [("Ann", 5), ("Bob", 5)] {
            stack.insert("Employee", ["name": name, "salary": salary, "department": first])
                .setValue(NSSet(array: projects), forKey: "projects")
        }
        stack.insert("Manager", ["name": "Meg", "salary": 9, "level": 3, "department": second])
        let boss = stack.insert("Manager", ["name": "Mo", "salary": 1, "department": first])
        boss.setValue(NSSet(array: projects), forKey: "projects")
        boss.setValue(NSSet(array: try stack.fetch("Employee", "name IN {'Ann', 'Meg'}")), forKey: "friends")
        try stack.context.save()
        return stack
    }

    private func expect(
        _ stack: TestStack, _ entity: String, _ format: String, _ names: [String], arguments: [Any] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        let inMemory = try stack.fetch(entity).filter { predicate.evaluate(with: $0) }
        #expect(
            inMemory.compactMap { $0.value(forKey: "name") as? String } == names, "in memory: \(format)",
            sourceLocation: sourceLocation)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let stored = try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        #expect(stored == names, "in SQL: \(format)", sourceLocation: sourceLocation)
    }

    @Test("A set contains each object once, however many paths lead to it")
    func sets() throws {
        let stack = try company()
        try expect(stack, "Department", "employees.name.@count == 3", ["D0"])
        try expect(stack, "Department", "employees.projects.@count == 2", ["D0"])
        try expect(stack, "Department", "employees.projects[SIZE] == 2", ["D0"])
        try expect(
            stack, "Department", "SUBQUERY(employees.projects, $p, $p.name != nil).@count == 2", ["D0"])
        try expect(stack, "Project", "members.department.@sum.floor == 1", ["P0", "P1"])
        try expect(stack, "Project", "members.department.@count == 1", ["P0", "P1"])
        // An ordered set contains each object once, too, and nil is not a member.
        let tasks = ["T0", "T1"].map { stack.insert("Task", ["name": $0]) }
        try stack.fetch("Project", "name == 'P1'")[0].setValue(NSOrderedSet(array: tasks), forKey: "tasks")
        try stack.context.save()
        try expect(stack, "Project", "tasks.project.@count == 1", ["P1"])
        try expect(stack, "Project", "tasks.project.members.@count == 3", ["P1"])
        // A sum counts each object's value once for every occurrence.
        try expect(stack, "Department", "employees.@sum.salary == 11", ["D0"])
        try expect(stack, "Department", "sum:(employees.salary) == 11", ["D0"])
        try expect(stack, "Department", "count:(employees.salary) == 3", ["D0"])
        try expect(stack, "Department", "employees.@count.salary == 3", ["D0"])
        try expect(stack, "Department", "average:(employees.salary) == 9", ["D1"])
    }

    @Test("CAST of an object to another entity is nil")
    func casts() throws {
        let stack = try company()
        try expect(stack, "Employee", "CAST(SELF, 'Manager').name != nil", ["Meg", "Mo"])
        try expect(stack, "Employee", "CAST(SELF, 'Manager') == nil", ["Ann", "Bob"])
        try expect(stack, "Employee", "CAST(SELF, 'Manager').level == 3", ["Meg"])
        try expect(stack, "Employee", "CAST(SELF, 'Manager').department.name == 'D0'", ["Mo"])
        try expect(stack, "Employee", "CAST(SELF, 'Person').name == 'Ann'", ["Ann"])
        try expect(stack, "Employee", "ANY CAST(friends, 'Manager').level == 3", ["Mo"])
        try expect(stack, "Employee", "CAST(friends, 'Manager').@count == 1", ["Ann", "Meg", "Mo"])
        #expect(throws: NSError.self) { try stack.fetch("Employee", "CAST(SELF, 'Desk').name == nil") }
    }

    @Test("An entity equals its description and its name")
    func entities() throws {
        let stack = try company()
        let manager = try #require(stack.coordinator.managedObjectModel.entitiesByName["Manager"])
        let employee = try #require(stack.coordinator.managedObjectModel.entitiesByName["Employee"])
        try expect(stack, "Employee", "entity == %@", ["Meg", "Mo"], arguments: [manager])
        try expect(stack, "Employee", "entity != %@", ["Ann", "Bob"], arguments: [manager])
        try expect(stack, "Employee", "entity == 'Manager'", ["Meg", "Mo"])
        try expect(
            stack, "Employee", "entity IN %@", ["Ann", "Bob", "Meg", "Mo"], arguments: [[manager, employee]])
        try expect(stack, "Employee", "ANY friends.entity == %@", ["Ann", "Meg", "Mo"], arguments: [manager])
    }

    @Test("Aggregates ignore nil, and a list may contain it")
    func lists() throws {
        let stack = try company()
        try expect(stack, "Department", "max:({floor, 0}) == 0", ["D1"])
        try expect(stack, "Department", "min:({floor, 7, 9}) == 7", ["D1"])
        try expect(stack, "Department", "sum:({floor, 7}) == 7", ["D1"])
        try expect(stack, "Department", "average:({floor, 7}) == 7", ["D1"])
        try expect(stack, "Department", "max:({floor, floor}) == nil", ["D1"])
        try expect(stack, "Department", "floor IN {3, company.departments.@max.floor}", ["D1"])
        try expect(stack, "Department", "floor IN {3, floor}", ["D0", "D1"])
    }

    @Test("A text cast to a number is the number it begins with, or zero")
    func numbersOfTexts() throws {
        let stack = try CompanyStack()
        for name in ["12 monkeys", "-2.5e1", "three"] { stack.insert("Project", ["name": name]) }
        stack.insert("Project")
        try stack.context.save()
        try expect(stack, "Project", "CAST(name, 'NSNumber') == 12", ["12 monkeys"])
        try expect(stack, "Project", "CAST(name, 'NSNumber') == -25", ["-2.5e1"])
        try expect(stack, "Project", "CAST(name, 'NSNumber') == 0", ["three"])
    }

    @Test(
        "An empty text begins and ends with no text, and NUL is a character", .ofSQLite("Texts with NUL"))
    func ends() throws {
        let stack = try CompanyStack()
        for name in ["", "ab", "a\0b"] { stack.insert("Project", ["name": name]) }
        try stack.context.save()
        try expect(stack, "Project", "name ENDSWITH 'b'", ["a\0b", "ab"])
        try expect(stack, "Project", "NOT (name ENDSWITH 'b')", [""])
        try expect(stack, "Project", "name ENDSWITH %@", ["a\0b"], arguments: ["\0b"])
        try expect(stack, "Project", "name BEGINSWITH name", ["a\0b", "ab"])
    }
}
