public import CoreData

extension NSManagedObject {
    /// The present value of a property, if the store has another one: `NSNull` where it was set to nil; nil where
    /// it is as it was last fetched or saved.
    public func changedValue(forKey key: String) -> Any? {
        changedValues()[key]
    }

    /// The value of a property as it was last fetched or saved.
    public func committedValue(forKey key: String) -> Any? {
        let value = committedValues(forKeys: [key])[key]
        return value is NSNull ? nil : value
    }

    /// Throws away the object's values, to be read anew; its changes stay on top unless `mergeChanges` is false. Does
    /// nothing without a context.
    public func refresh(_ mergeChanges: Bool = true) {
        managedObjectContext?.refresh(self, mergeChanges: mergeChanges)
    }
}
