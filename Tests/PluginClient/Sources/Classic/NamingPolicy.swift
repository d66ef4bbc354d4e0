import CoreData

/// Its methods are named by the expressions of mappings.
@objc(CLSNamingPolicy)
class NamingPolicy: NSEntityMigrationPolicy {
    typealias Mark = String

    @objc let prefix: Mark = "Dr "

    @objc func titled(_ name: Mark?, with count: Int, of employee: NSManagedObject) -> Mark {
        String(repeating: prefix, count: count) + (name ?? "") + " of \(employee.entity.name ?? "")"
    }
}
