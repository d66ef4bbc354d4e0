import CoreData

extension PersistentModel {
    /// Returns the value of a property.
    public func getValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
        Self.isExpanded ? self[keyPath: keyPath] : persistentBackingData.getValue(forKey: keyPath)
    }

    /// Sets the value of a property; traps if the property cannot be set where the key path was written.
    public func setValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        guard Self.isExpanded else { return persistentBackingData.setValue(forKey: keyPath, to: newValue) }
        guard let writable = keyPath as? ReferenceWritableKeyPath<Self, Value> else {
            programmerError("\(keyPath) cannot be set: write the key path where the property can be set.")
        }
        self[keyPath: writable] = newValue
    }

    /// Returns the value of a property that a transformer turns into data.
    public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
        Self.isExpanded
            ? self[keyPath: keyPath] : persistentBackingData.getTransformableValue(forKey: keyPath)
    }

    /// Sets the value of a property that a transformer turns into data.
    public func setTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>, to newValue: Value) {
        if Self.isExpanded { return setValue(forKey: keyPath, to: newValue) }
        persistentBackingData.setTransformableValue(forKey: keyPath, to: newValue)
    }
}
