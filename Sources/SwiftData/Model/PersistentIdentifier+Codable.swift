import CoreData
import Synchronization

extension PersistentIdentifier: Codable {
    private enum Keys: String, CodingKey { case implementation }
    private enum Parts: String, CodingKey {
        case primaryKey, uriRepresentation, isTemporary, storeIdentifier, entityName
    }

    /// Encodes the identifier as Apple's SwiftData does.
    public func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Keys.self)
        var parts = outer.nestedContainer(keyedBy: Parts.self, forKey: .implementation)
        try parts.encode(uri.lastPathComponent, forKey: .primaryKey)
        try parts.encode(uri, forKey: .uriRepresentation)
        try parts.encode(objectID.isTemporaryID, forKey: .isTemporary)
        try parts.encode(storeIdentifier, forKey: .storeIdentifier)
        try parts.encode(entityName, forKey: .entityName)
    }

    /// Decodes the identifier of a saved model, equal to the one that was encoded.
    ///
    /// - Throws: `DecodingError` if no container of the program has the store, or if the model was not saved.
    ///
    /// Unlike Apple's: a container must have the store open.
    public init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Keys.self)
        let parts = try outer.nestedContainer(keyedBy: Parts.self, forKey: .implementation)
        let uri = try parts.decode(URL.self, forKey: .uriRepresentation)
        let store = try parts.decodeIfPresent(String.self, forKey: .storeIdentifier)
        guard let found = OpenCoordinators.objectID(for: uri, inStore: store) else {
            throw DecodingError.dataCorruptedError(
                forKey: .uriRepresentation, in: parts,
                debugDescription:
                    "no container has the store of the saved model that \(uri) names: make it first")
        }
        self.init(found, inStore: found.isTemporaryID ? nil : store)
    }
}

/// The coordinators of all containers, by which decoded identifiers find their stores.
enum OpenCoordinators {
    private struct Link {
        weak var coordinator: NSPersistentStoreCoordinator?
    }

    private static let links = Mutex<[Link]>([])

    /// Notes the coordinator of a new container.
    static func add(_ coordinator: NSPersistentStoreCoordinator) {
        links.withLock { links in
            links.removeAll { $0.coordinator == nil }
            links.append(Link(coordinator: coordinator))
        }
    }

    private static var coordinators: [NSPersistentStoreCoordinator] {
        links.withLock { $0.compactMap(\.coordinator) }
    }

    /// Returns the store of an app's own with an identifier: the one that is being called, if it has it.
    static func dataStore(named identifier: String) -> CustomStore? {
        if let current = CustomStore.current, current.isNamed(identifier) { return current }
        return coordinators.lazy.flatMap(\.persistentStores).compactMap { $0 as? CustomStore }
            .first { $0.isNamed(identifier) }
    }

    /// Returns the ID that a URI names.
    ///
    /// - Parameter store: The identifier of the store, if it is known.
    static func objectID(for uri: URL, inStore store: String? = nil) -> NSManagedObjectID? {
        let parts = uri.path(percentEncoded: true).split(separator: "/")
        if parts.count == 2, parts[1].first == "p", let store = dataStore(named: store ?? uri.host ?? ""),
            let entity = parts[0].removingPercentEncoding,
            let key = parts[1].dropFirst().removingPercentEncoding
        {
            return store.objectID(ofEntity: entity, key)
        }
        return coordinators.lazy.compactMap { $0.managedObjectID(forURIRepresentation: uri) }.first
    }
}
