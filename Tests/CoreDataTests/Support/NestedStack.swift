import CoreData
import Foundation

/// A company's context, a child of it, and a grandchild.
final class NestedStack {
    let stack: TestStack
    let child = NSManagedObjectContext(.privateQueue)
    let grandchild = NSManagedObjectContext(.privateQueue)

    var parent: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try CompanyStack()
        child.parent = stack.context
        grandchild.parent = child
    }

    /// Returns the names of the objects that a context finds.
    static func names(
        _ context: NSManagedObjectContext, _ entity: String, _ format: String? = nil, _ arguments: Any...
    ) throws -> [String] {
        try context.performAndWait { try context.names(entity, format, arguments) }
    }

    static func first(
        _ context: NSManagedObjectContext, _ entity: String, _ name: String
    ) throws -> NSManagedObject {
        try context.fetch(entity, "name == %@", [name], sortedBy: nil)[0]
    }

    /// Returns the names in the file.
    func stored(_ entity: String) throws -> [String] { try stack.reopened().names(entity) }
}
