public import CoreData

/// A class that defines lists of its objects: their entity, their order, and which objects belong in them.
///
///     extension Book: Managed {
///         static var defaultSortDescriptors: [NSSortDescriptor] {
///             [NSSortDescriptor(key: "title", ascending: true)]
///         }
///     }
///
/// Everything else has a default. The functions that find, fetch and count objects use the given context and
/// must be called on its queue. They trap, as reading a fault does, if the store cannot be read or the model
/// lacks an entity or property that they use. To get an error instead, fetch ``sortedFetchRequest`` with the
/// context.
public protocol Managed: NSManagedObject {
    /// The entity of the class, in the models in use.
    static var entity: NSEntityDescription { get }
    /// The entity's name, by which requests and insertions find it in the model of their context.
    static var entityName: String { get }
    /// The order of a list; by default none.
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
    /// The condition for an object to belong in a list; by default it is always true.
    static var defaultPredicate: NSPredicate { get }
}

extension Managed {
    /// The entity of the class, in the models in use.
    public static var entity: NSEntityDescription { entity() }

    /// The name of ``entity``.
    ///
    /// Traps if the entity has no name.
    public static var entityName: String {
        guard let name = entity.name else {
            programmerError(
                "The entity of \(Self.self) has no name: set it, or declare entityName in the class.")
        }
        return name
    }

    /// No order.
    public static var defaultSortDescriptors: [NSSortDescriptor] { [] }

    /// A predicate that is always true.
    public static var defaultPredicate: NSPredicate { NSPredicate(value: true) }

    // MARK: Requests

    /// A request for all objects that belong in a list, in the list's order; a new request each time.
    public static var sortedFetchRequest: NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        request.predicate = defaultPredicate
        return request
    }

    /// Returns a request for the objects of a list that match a predicate, in its order.
    public static func sortedFetchRequest(with predicate: NSPredicate) -> NSFetchRequest<Self> {
        let request = sortedFetchRequest
        request.predicate = self.predicate(predicate)
        return request
    }

    // MARK: Predicates

    /// Returns the default predicate and the predicate of a format, joined by "and".
    ///
    /// Traps on a malformed format.
    public static func predicate(format: String, _ args: any CVarArg...) -> NSPredicate {
        predicate(NSPredicate(format: format, argumentArray: args))
    }

    /// Returns the default predicate and another one, joined by "and".
    public static func predicate(_ predicate: NSPredicate) -> NSPredicate {
        defaultPredicate.and(predicate)
    }
}
