public import CoreData

/// A class that says what lists of its objects look like: of which entity, in which order, and which of them.
///
///     extension Book: Managed {
///         static var defaultSortDescriptors: [NSSortDescriptor] { [NSSortDescriptor(key: "title", ascending: true)] }
///     }
///
/// Everything else has a default. The functions that find, fetch and count read with the context they are given, on
/// its queue; they trap if the store cannot be read or the model lacks what they ask for, as reading a fault does.
/// Where that is to be an error, fetch ``sortedFetchRequest`` with the context.
public protocol Managed: NSManagedObject {
    /// The entity the class stands for, in the models in use.
    static var entity: NSEntityDescription { get }
    /// The entity's name, by which requests and insertions find it in the model of their context.
    static var entityName: String { get }
    /// The order of a list; none unless the class says so.
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
    /// What belongs in a list; everything unless the class says so.
    static var defaultPredicate: NSPredicate { get }
}

extension Managed {
    public static var entity: NSEntityDescription { entity() }

    public static var entityName: String {
        guard let name = entity.name else {
            programmerError(
                "The entity of \(Self.self) has no name: set it, or declare entityName in the class.")
        }
        return name
    }

    public static var defaultSortDescriptors: [NSSortDescriptor] { [] }

    public static var defaultPredicate: NSPredicate { NSPredicate(value: true) }

    // MARK: Requests

    /// All that belongs in a list, in its order. A new request each time.
    public static var sortedFetchRequest: NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        request.predicate = defaultPredicate
        return request
    }

    /// Those of a list that match a predicate, in its order.
    public static func sortedFetchRequest(with predicate: NSPredicate) -> NSFetchRequest<Self> {
        let request = sortedFetchRequest
        request.predicate = self.predicate(predicate)
        return request
    }

    // MARK: Predicates

    /// The default predicate and the one of a format, both. Traps on a malformed format.
    public static func predicate(format: String, _ args: any CVarArg...) -> NSPredicate {
        predicate(NSPredicate(format: format, argumentArray: args))
    }

    /// The default predicate and another one, both.
    public static func predicate(_ predicate: NSPredicate) -> NSPredicate {
        defaultPredicate.and(predicate)
    }
}
