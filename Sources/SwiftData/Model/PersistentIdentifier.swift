public import CoreData

/// The identity of a model's row, which may go to any thread.
///
/// A model has another one before its first save. Two are equal if they name the same row.
public struct PersistentIdentifier: Hashable, Sendable, ObjectStandIn, CustomStringConvertible {
    package let objectID: NSManagedObjectID

    init(_ objectID: NSManagedObjectID) {
        self.objectID = objectID
    }

    /// The name of the model's entity.
    public var entityName: String { objectID.entity.name ?? "" }

    /// The identifier of the store; nil until the model is saved.
    public var storeIdentifier: String? { objectID.persistentStore?.identifier }

    /// The identifier as a URI.
    public var description: String { objectID.uriRepresentation().absoluteString }
}
