import CoreData

/// The values of a model while it is saved to a store of an app's own.
///
/// Unlike Apple's: only the framework makes it, and values are read only.
public protocol BackingData<Model> {
    /// The class of the model.
    associatedtype Model: PersistentModel

    /// The identifier of the model: a temporary one until it is saved.
    var persistentModelID: PersistentIdentifier? { get }
    /// Returns the value of a property.
    func getValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value
}

/// The values of a model of a context.
struct ObjectBackingData<Model: PersistentModel>: BackingData {
    let object: ModelObject
    let model: Model

    var persistentModelID: PersistentIdentifier? { PersistentIdentifier(object.objectID) }
    func getValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value { model[keyPath: keyPath] }
}
