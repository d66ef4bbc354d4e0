import CoreData
import Foundation
import Testing

@Suite("Debugging of concurrency")
struct ConcurrencyDebugTests {
    /// Returns the output of a process that has ended.
    private func output(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    /// Returns a context named "import" with an employee whose values are loaded.
    private static func stack() throws -> (NSManagedObjectContext, Employee) {
        setenv("com_apple_CoreData_ConcurrencyDebug", "1", 1)
        let stack = try CompanyStack()
        let context = stack.sibling(.privateQueue)
        context.name = "import"
        let employee = context.performAndWait { () -> Employee in
            let employee = Employee(context: context)
            employee.name = "Ann"
            _ = employee.name
            return employee
        }
        return (context, employee)
    }

    @Test("A read off the queue ends the program and names context, queue and property")
    func reading() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (context, employee) = try Self.stack()
            print(context, employee.name ?? "")
        }
        let text = output(result)
        #expect(text.contains("import"))
        #expect(text.contains("private queue"))
        #expect(text.contains("a read of Employee.name"))
        #expect(text.contains("performAndWait"))
    }

    @Test("Changes, fetches and saves off the queue end the program, too")
    func others() async {
        let change = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (context, employee) = try Self.stack()
            employee.setValue(1, forKey: "salary")
            print(context)
        }
        #expect(output(change).contains("a change of Employee.salary"))
        let fetch = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (context, _) = try Self.stack()
            print(try context.fetch(NSFetchRequest<Employee>(entityName: "Employee")))
        }
        #expect(output(fetch).contains("fetch(_:)"))
        let save = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (context, _) = try Self.stack()
            try context.save()
        }
        #expect(output(save).contains("save()"))
        let batch = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (context, _) = try Self.stack()
            try context.execute(NSBatchUpdateRequest(entityName: "Employee"))
        }
        #expect(output(batch).contains("execute(_:)"))
        let question = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (context, _) = try Self.stack()
            print(context.hasChanges)
        }
        #expect(output(question).contains("hasChanges"))
    }

    @Test("Blocks on the queue may read and change, also when called from another queue's blocks")
    func allowed() async {
        await #expect(processExitsWith: .success) {
            let (context, employee) = try Self.stack()
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            try await context.perform {
                employee.name = "Bo"
                try child.performAndWait {
                    let twin = child.object(with: employee.objectID)
                    twin.setValue("Cid", forKey: "name")
                    try child.save()
                }
                #expect(employee.name == "Cid")
                try context.save()
            }
        }
    }
}
