import Foundation
import Testing

@testable import CoreData

@Suite("Contexts that commit one row at the same time")
struct CommitOrderTests {
    /// Two contexts with one employee, and a store in which the second context saves during the first one's
    /// save.
    private final class Rivals {
        let store: SteppedStore
        let contexts: [NSManagedObjectContext]
        let employees: [NSManagedObject]

        init() throws {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyStack.model())
            store = try SteppedStore.added(to: coordinator, Interleaving())
            contexts = (0..<3).map { _ in
                let context = coordinator.context(.privateQueue)
                return context
            }
            try contexts[0].performAndWait { [contexts] in
                _ = contexts[0].insert("Employee", ["name": "Ann"])
                try contexts[0].save()
            }
            employees = try contexts.map { context in
                try context.performAndWait { try context.fetch("Employee", nil, [], sortedBy: nil)[0] }
            }
        }

        /// The first context saves a name, and the second another one before the first learns that its own is
        /// saved.
        func save(_ body: @escaping (NSManagedObject) -> Void) throws {
            var error: (any Error)?
            store.didCommit = { [unowned self] _, _ in
                store.didCommit = { _, _ in }
                let context = contexts[1]
                context.performAndWait {
                    context.refresh(employees[1], mergeChanges: false)
                    body(employees[1])
                    do { try context.save() } catch let failure { error = failure }
                }
            }
            try contexts[0].performAndWait {
                employees[0].setValue("Bo", forKey: "name")
                try contexts[0].save()
            }
            if let error { throw error }
        }

        func name(in index: Int) -> String? {
            contexts[index].performAndWait {
                contexts[index].refresh(employees[index], mergeChanges: false)
                return employees[index].value(forKey: "name") as? String
            }
        }

        /// Returns the name as a new context reads it.
        func nameInMemory() -> String? {
            contexts[2].performAndWait { employees[2].value(forKey: "name") as? String }
        }
    }

    @Test("The cached row is the one committed last")
    func updating() throws {
        let rivals = try Rivals()
        try rivals.save { $0.setValue("Cid", forKey: "name") }
        #expect(rivals.nameInMemory() == "Cid")
        #expect(rivals.name(in: 0) == "Cid")
        #expect(rivals.name(in: 1) == "Cid")
    }

    @Test("A row deleted by another context does not come back into the cache")
    func deleting() throws {
        let rivals = try Rivals()
        try rivals.save { $0.managedObjectContext?.delete($0) }
        #expect(rivals.nameInMemory() == nil)
        rivals.contexts[0].performAndWait {
            rivals.contexts[0].refresh(rivals.employees[0], mergeChanges: false)
            #expect(rivals.employees[0].value(forKey: "name") == nil)
            #expect(rivals.employees[0].isDeleted)
        }
    }
}
