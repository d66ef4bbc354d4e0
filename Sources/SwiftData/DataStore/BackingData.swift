import CoreData

/// The values of a model: those of its row, or those that a new model begins with.
///
/// A class that conforms to `PersistentModel` by hand keeps its values in one, and a store of an app's own gets
/// one for each model that is saved.
///
/// Unlike Apple's: only the framework conforms, and there is no `metadata`.
public protocol BackingData<Model> {
    /// The class of the model.
    associatedtype Model: PersistentModel

    /// Begins the values of a new model, with those of the declarations in `schemaMetadata`.
    init(for type: Model.Type)
    /// The identifier of the model: a temporary one until it is saved.
    var persistentModelID: PersistentIdentifier? { get }
    /// Returns the value of a property.
    func getValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value
    /// Sets the value of a property.
    func setValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value)
    /// Returns the value of a property that a transformer turns into data.
    func getTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value
    /// Sets the value of a property that a transformer turns into data.
    func setTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value)
    /// The object that has the values.
    var _$object: ModelObject { get }
}

/// The values that a model object has.
struct ObjectBackingData<Model: PersistentModel>: BackingData {
    let _$object: ModelObject

    init(_ object: ModelObject) { _$object = object }

    init(for type: Model.Type) { _$object = type._$template.begin() }

    /// The model that has the values, or else another one that reads and writes them.
    var model: Model { _$object.model as? Model ?? Model(_$backing: _$object) }

    var persistentModelID: PersistentIdentifier? { PersistentIdentifier(_$object.objectID) }

    func getValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value {
        if Model.isExpanded { return model[keyPath: keyPath] }
        return HandWrittenClass.property(keyPath).value(of: _$object)
    }

    func setValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
        if Model.isExpanded { return model.setValue(forKey: keyPath, to: newValue) }
        HandWrittenClass.property(keyPath).set(newValue, of: _$object)
    }

    func getTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value {
        if Model.isExpanded { return model[keyPath: keyPath] }
        return ModelAccess.readTransformed(_$object, HandWrittenClass.property(keyPath))
    }

    func setTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>, to newValue: Value) {
        if Model.isExpanded { return model.setValue(forKey: keyPath, to: newValue) }
        ModelAccess.writeTransformed(_$object, HandWrittenClass.property(keyPath), newValue)
    }
}
