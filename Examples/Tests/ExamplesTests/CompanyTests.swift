import Company
import CoreData
import Foundation
import Testing

@Suite("A company and its employees")
@MainActor
struct CompanyTests {
    private let file = ScratchFile("Company")
    private var url: URL { file.url }

    @Test("Hand-written @NSManaged properties and methods work as on Apple's systems")
    func managedProperties() throws {
        let store = try CompanyStore(url: url)
        let department = Department(context: store.context)
        department.name = "Research"
        let ann = Employee(context: store.context)
        ann.name = "Ann"
        ann.rank += 3
        ann.skills = ["swift", "sql"]
        department.addToEmployees(ann)
        #expect(ann.department === department)
        #expect(department.employees == [ann])
        #expect(ann.hired != nil)
        try store.context.save()

        let other = try CompanyStore(url: url)
        let request = NSFetchRequest<Employee>(entityName: "Employee")
        request.predicate = NSPredicate(format: "department.name == %@", "Research")
        let read = try #require(try other.context.fetch(request).first)
        #expect(read.name == "Ann")
        #expect(read.rank == 3)
        #expect(read.skills == ["swift", "sql"])
        #expect(read[keyPath: \Employee.name] == "Ann")
        #expect(read.department?.employees.count == 1)
    }

    @Test("Key paths and selectors are written as for Apple's systems")
    func sorted() throws {
        let store = try CompanyStore(url: url)
        let department = Department(name: "Research", in: store.context)
        for name in ["Bob 10", "Bob 9", "ann"] {
            let employee = Employee(context: store.context)
            employee.name = name
            department.addToEmployees(employee)
        }
        try store.context.save()
        #expect(try store.employees(of: "Research").map(\.name) == ["ann", "Bob 9", "Bob 10"])
        #expect(try store.employees(of: "Sales").isEmpty)
    }

    @Test("Objects are decoded from JSON into a context")
    func decoding() throws {
        let json = """
            [{"name": "Research", "employees": [
                {"name": "Ann", "rank": 3, "skills": ["swift"], "note": "likes tea"}, {"name": "Bob"}
            ]}, {"name": "Sales"}]
            """
        let store = try CompanyStore(url: url)
        let decoder = JSONDecoder(context: store.context)
        let departments = try decoder.decode([Department].self, from: Data(json.utf8))
        #expect(departments.map(\.employees.count) == [2, 0])
        #expect(store.context.insertedObjects.count == 4)
        _ = Department(name: "Board", in: store.context)
        try store.context.save()

        let other = try CompanyStore(url: url)
        let request = NSFetchRequest<Employee>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Employee.name, ascending: true)]
        let employees = try other.context.fetch(request)
        #expect(employees.map(\.name) == ["Ann", "Bob"])
        #expect(employees.map(\.rank) == [3, 0])
        #expect(employees.map(\.note) == ["likes tea", nil])
        #expect(employees.map(\.skills) == [["swift"], nil])
        #expect(employees.allSatisfy { $0.department?.name == "Research" && $0.hired != nil })
        #expect(try other.context.count(for: NSFetchRequest<Department>(entityName: "Department")) == 3)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(Employee.self, from: Data("{}".utf8)) }
    }

    @Test("The note is stored sealed and read in the clear", .needsFile)
    func sealedNote() throws {
        let store = try CompanyStore(url: url)
        let ann = Employee(context: store.context)
        ann.name = "Ann"
        ann.note = "likes tea"
        try store.context.save()
        let other = try CompanyStore(url: url)
        let read = try #require(
            try other.context.fetch(NSFetchRequest<Employee>(entityName: "Employee")).first)
        #expect(read.note == "likes tea")
        let bytes = try file.contents().values
        #expect(bytes.allSatisfy { $0.range(of: Data("likes tea".utf8)) == nil })
    }

    @Test("Changing or removing a note is saved, though the property itself is transient")
    func changedNote() throws {
        let store = try CompanyStore(url: url)
        let ann = Employee(context: store.context)
        ann.name = "Ann"
        ann.note = "likes tea"
        try store.context.save()
        for note in ["prefers coffee", nil] {
            let writer = try CompanyStore(url: url)
            let employees = try writer.context.fetch(NSFetchRequest<Employee>(entityName: "Employee"))
            let employee = try #require(employees.first)
            employee.note = note
            #expect(employee.hasChanges)
            try writer.context.save()
            #expect(!employee.hasChanges)
            #expect(employee.note == note)
            let reader = try CompanyStore(url: url)
            let read = try reader.context.fetch(NSFetchRequest<Employee>(entityName: "Employee"))
            #expect(read.first?.note == note)
            withExtendedLifetime((writer, reader)) {}
        }
    }

    @Test("Deleting a department deletes its employees")
    func cascade() throws {
        let store = try CompanyStore(url: url)
        let department = Department(context: store.context)
        department.name = "Research"
        let employees = ["Ann", "Bob"].map { name in
            let employee = Employee(context: store.context)
            employee.name = name
            return employee
        }
        department.addToEmployees(NSSet(array: employees))
        try store.context.save()
        department.removeFromEmployees(employees[1])
        store.context.delete(department)
        try store.context.save()
        let request = NSFetchRequest<Employee>(entityName: "Employee")
        #expect(try store.context.fetch(request).map(\.name) == ["Bob"])
        #expect(employees[1].department == nil)
    }

    @Test("Limits of the model are checked with their codes")
    func limits() throws {
        let store = try CompanyStore(url: url)
        let ann = Employee(context: store.context)
        ann.name = "Ann"
        ann.rank = 10
        var error = #expect(throws: NSError.self) { try store.context.save() }
        #expect(error?.code == NSValidationNumberTooLargeError)
        ann.rank = 9
        let department = Department(context: store.context)
        department.name = "R"
        error = #expect(throws: NSError.self) { try store.context.save() }
        #expect(error?.code == NSValidationStringTooShortError)
        department.name = "R&D"
        try store.context.save()
    }
}
