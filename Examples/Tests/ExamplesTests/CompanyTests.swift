import Company
import CoreData
import Foundation
import Testing

@Suite("A company and its employees")
@MainActor
struct CompanyTests {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "Company-\(UUID()).sqlite")

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
        #expect(ann.department === department && department.employees == [ann])
        #expect(ann.hired != nil)
        try store.context.save()

        let other = try CompanyStore(url: url)
        let request = NSFetchRequest<Employee>(entityName: "Employee")
        request.predicate = NSPredicate(format: "department.name == %@", "Research")
        let read = try #require(try other.context.fetch(request).first)
        #expect(read.name == "Ann" && read.rank == 3 && read.skills == ["swift", "sql"])
        #expect(read[keyPath: \Employee.name] == "Ann")
        #expect(read.department?.employees.count == 1)
    }

    @Test("The note is stored sealed and read in the clear")
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
        let bytes = try Data(contentsOf: url) + Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
        #expect(bytes.range(of: Data("likes tea".utf8)) == nil)
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
