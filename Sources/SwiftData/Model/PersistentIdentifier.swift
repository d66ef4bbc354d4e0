public import CoreData

/// The identity of a model's row, which may go to any thread, and outlive its container.
///
/// A model has another one before its first save. Two are equal if they name the same row, whichever container
/// they come from.
public struct PersistentIdentifier: Hashable, Identifiable, Sendable, ObjectStandIn {
    package let objectID: NSManagedObjectID
    /// The identifier of the store; nil until the model is saved.
    public let storeIdentifier: String?

    init(_ objectID: NSManagedObjectID) {
        self.init(objectID, inStore: objectID.persistentStore?.identifier)
    }

    /// Makes the identifier of a row in a store whose identifier is known.
    init(_ objectID: NSManagedObjectID, inStore store: String?) {
        self.objectID = objectID
        storeIdentifier = store
    }

    /// The name of the model's entity.
    public var entityName: String { objectID.entity.name ?? "" }

    /// The identity, which is the identifier itself.
    public typealias ID = PersistentIdentifier
    /// The identifier itself.
    public var id: ID { self }

    /// Returns whether both name the same row, or the same model that is not saved yet.
    public static func == (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        if left.objectID == right.objectID { return true }
        guard let store = left.storeIdentifier, store == right.storeIdentifier else { return false }
        return left.objectID.key == right.objectID.key && left.entityName == right.entityName
    }

    /// Feeds the key of the row.
    public func hash(into hasher: inout Hasher) { hasher.combine(objectID.key) }
}

extension PersistentIdentifier: Comparable {
    /// Returns whether the first comes before the second: by store, then by entity, then in the order in which
    /// rows were made. Models that are not saved yet come last.
    public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool {
        left.place < right.place
    }

    private var place: (Int, String, String, UInt64) {
        let key = objectID.key
        let isSaved = storeIdentifier != nil
        return (isSaved ? 0 : 1, storeIdentifier ?? "", entityName, key.magnitude)
    }
}

extension PersistentIdentifier: CustomStringConvertible {
    /// The identifier as a URI.
    public var description: String { uri.absoluteString }

    /// The identifier as a URI, also when the container of its store is gone.
    var uri: URL {
        guard let storeIdentifier, objectID.persistentStore == nil,
            let uri = URL(string: "x-coredata://\(storeIdentifier)/\(objectID.rowName)")
        else { return objectID.uriRepresentation() }
        return uri
    }
}

extension PersistentIdentifier {
    /// Returns the identifier of a row that a store names by a primary key of its own: any value in a
    /// `DataStore`; in other stores the number of the row, or `p12`, as a decoded identifier has it.
    ///
    /// Whether the row exists is not asked.
    ///
    /// - Parameters:
    ///   - storeIdentifier: The identifier of the store.
    ///   - entityName: The name of the model's entity.
    ///   - primaryKey: The key of the row.
    /// - Throws: `SwiftDataError.unknownSchema` if no container of the program has the store, or its models
    ///   have no such entity.
    public static func identifier(
        for storeIdentifier: String, entityName: String, primaryKey: some Hashable & Codable
    ) throws -> PersistentIdentifier {
        if let store = OpenCoordinators.dataStore(named: storeIdentifier) {
            let text = try primaryKey as? String ?? text(of: primaryKey)
            guard let id = store.objectID(ofEntity: entityName, text) else {
                throw SwiftDataError(
                    .unknownSchema, "the store \(storeIdentifier) has no entity \(entityName)")
            }
            return PersistentIdentifier(id, inStore: storeIdentifier)
        }
        let key = "\(primaryKey)"
        let text = "x-coredata://\(storeIdentifier)/\(entityName)/\(key.hasPrefix("p") ? key : "p\(key)")"
        guard let found = URL(string: text).flatMap({ OpenCoordinators.objectID(for: $0) }) else {
            throw SwiftDataError(.unknownSchema, "no container has a store for the identifier \(text)")
        }
        return PersistentIdentifier(found)
    }

    /// Returns a primary key of a data store as text: what it describes itself as, if it is one value.
    private static func text(of primaryKey: some Hashable & Codable) throws -> String {
        if StoredType(of: type(of: primaryKey)) != nil { return "\(primaryKey)" }
        return String(decoding: try StoredValue.bytes(of: primaryKey), as: UTF8.self)
    }

    /// Returns the ID in the stores of a coordinator; nil if none of them can have it.
    func objectID(in coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectID? {
        if coordinator.hasHome(of: objectID) { return objectID }
        return objectID.isTemporaryID ? nil : coordinator.managedObjectID(forURIRepresentation: uri)
    }
}
