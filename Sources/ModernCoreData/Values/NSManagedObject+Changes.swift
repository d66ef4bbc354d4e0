public import CoreData

extension NSManagedObject {
    /// Returns the present value of a property, if the store has another one: `NSNull` where it was set to
    /// nil; nil where it is as it was last fetched or saved.
    public func changedValue(forKey key: String) -> Any? {
        changedValues()[key]
    }

    /// Returns the value of a property as it was last fetched or saved.
    public func committedValue(forKey key: String) -> Any? {
        let value = committedValues(forKeys: [key])[key]
        return value is NSNull ? nil : value
    }

    /// Drops the object's values, to be read anew; does nothing without a context.
    ///
    /// - Parameter mergeChanges: Whether unsaved changes stay on top of the new values.
    public func refresh(_ mergeChanges: Bool = true) {
        managedObjectContext?.refresh(self, mergeChanges: mergeChanges)
    }
}
