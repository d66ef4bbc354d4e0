public import CoreData

extension NSManagedObject {
    /// Returns the present value of a property if it differs from the one last fetched or saved, `NSNull` if
    /// it was set to nil; returns nil if it is unchanged.
    public func changedValue(forKey key: String) -> Any? {
        changedValues()[key]
    }

    /// Returns the value of a property that was last fetched or saved.
    public func committedValue(forKey key: String) -> Any? {
        let value = committedValues(forKeys: [key])[key]
        return value is NSNull ? nil : value
    }

    /// Drops the object's values, so that they are read again; does nothing without a context.
    ///
    /// - Parameter mergeChanges: Whether unsaved changes stay on top of the new values.
    public func refresh(_ mergeChanges: Bool = true) {
        managedObjectContext?.refresh(self, mergeChanges: mergeChanges)
    }
}
