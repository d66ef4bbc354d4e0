extension Sequence<NSManagedObject> {
    /// Returns whether all objects are of a class, with one check per class instead of one per object: most
    /// are of the same.
    package func areAll(_ isOfClass: (NSManagedObject) -> Bool) -> Bool {
        var last: NSManagedObject.Type?
        for object in self where type(of: object) != last {
            guard isOfClass(object) else { return false }
            last = type(of: object)
        }
        return true
    }
}
