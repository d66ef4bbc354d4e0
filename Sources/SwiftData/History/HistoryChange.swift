import CoreData

/// A change of one model in a transaction.
///
/// The payloads are `DefaultHistoryInsert`, `DefaultHistoryUpdate` and `DefaultHistoryDelete` of the class of
/// the model, for which a `switch` can ask: `case .insert(let change as DefaultHistoryInsert<Trip>)`.
public enum HistoryChange: Sendable {
    /// A model was inserted.
    case insert(any HistoryInsert)
    /// A model was updated.
    case update(any HistoryUpdate)
    /// A model was deleted.
    case delete(any HistoryDelete)

    /// The identifier of the model, which need not exist any more.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let change): change.changedPersistentIdentifier
        case .update(let change): change.changedPersistentIdentifier
        case .delete(let change): change.changedPersistentIdentifier
        }
    }
}

/// The insertion of a model.
public protocol HistoryInsert<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The number of the change in its store.
    var changeIdentifier: Int64 { get }
    /// The number of the transaction in its store.
    var transactionIdentifier: Int64 { get }
    /// The identifier of the model, which need not exist any more.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// The update of a model.
public protocol HistoryUpdate<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The number of the change in its store.
    var changeIdentifier: Int64 { get }
    /// The number of the transaction in its store.
    var transactionIdentifier: Int64 { get }
    /// The identifier of the model, which need not exist any more.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The properties that were written, relationships included.
    var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The number of the change in its store.
    var changeIdentifier: Int64 { get }
    /// The number of the transaction in its store.
    var transactionIdentifier: Int64 { get }
    /// The identifier of the model, which does not exist any more.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The values that the model left behind.
    var tombstone: HistoryTombstone<Model> { get }
}

/// The insertion of a model, in a container's store.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert {
    /// The number of the change in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction in its store.
    public let transactionIdentifier: Int64
    /// The identifier of the model, which need not exist any more.
    public let changedPersistentIdentifier: PersistentIdentifier
}

/// The update of a model, in a container's store.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate {
    /// The number of the change in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction in its store.
    public let transactionIdentifier: Int64
    /// The identifier of the model, which need not exist any more.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The names of the properties that were written, relationships and inherited ones included.
    ///
    /// Unlike Apple's: an addition.
    public let updatedPropertyNames: Set<String>

    /// Returns whether a property was written, which may be an inherited one.
    ///
    /// Unlike Apple's: an addition.
    public func hasUpdated(_ keyPath: PartialKeyPath<Model>) -> Bool {
        KeyPathProbe.install
        return KeyPathNames.knownName(of: keyPath).map(updatedPropertyNames.contains) ?? false
    }

    /// The properties that were written, relationships included, in the order of their declaration.
    ///
    /// Unlike Apple's: of a subclass, without inherited ones, which have no key path that equals one in a source:
    /// ask `hasUpdated(_:)`.
    public var updatedAttributes: [any PartialKeyPath<Model> & Sendable] {
        Model.schemaMetadata.compactMap { property in
            guard updatedPropertyNames.contains(property.name),
                let path = property.keypath as? PartialKeyPath<Model>
            else { return nil }
            // A key path to a property cannot change.
            return unsafeBitCast(path, to: (any PartialKeyPath<Model> & Sendable).self)
        }
    }
}

/// The deletion of a model, in a container's store.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete {
    /// The number of the change in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction in its store.
    public let transactionIdentifier: Int64
    /// The identifier of the model, which does not exist any more.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The values of the attributes with `.preserveValueOnDeletion`.
    public let tombstone: HistoryTombstone<Model>
}
