/// The values of a model as a store takes and hands them out: a value that can be encoded, and that crosses
/// threads.
///
/// `DefaultSnapshot` is one for models of any class. One of an app's own encodes a value for each stored
/// property, by the name of the property; relationships are identifiers, or arrays of identifiers.
public protocol DataStoreSnapshot: Codable, Sendable {
    /// The identifier of the model: a temporary one until the store has saved it.
    var persistentIdentifier: PersistentIdentifier { get }

    /// Makes the snapshot of a model that is to be saved.
    ///
    /// - Parameters:
    ///   - backingData: The values of the model: cast it to `any BackingData<Model>` to read them.
    ///   - relatedBackingDatas: The values of the other models of the save, by their identifiers.
    init(
        from backingData: any BackingData,
        relatedBackingDatas: inout [PersistentIdentifier: any BackingData])

    /// Returns the snapshot with another identifier, and other identifiers in its relationships.
    ///
    /// - Parameters:
    ///   - persistentIdentifier: The identifier of the copy.
    ///   - remappedIdentifiers: Identifiers to replace in relationships, and what by; nil for none.
    func copy(
        persistentIdentifier: PersistentIdentifier,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]?
    ) -> Self
}

extension DataStoreSnapshot {
    /// Returns the snapshot with another identifier.
    public func copy(persistentIdentifier: PersistentIdentifier) -> Self {
        copy(persistentIdentifier: persistentIdentifier, remappedIdentifiers: nil)
    }
}
