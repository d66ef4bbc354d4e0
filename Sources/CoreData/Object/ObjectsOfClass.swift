extension Sequence<NSManagedObject> {
    /// Whether all are of a class. One check a class instead of one an object: most are of the same.
    package func areAll<Wanted>(_ wanted: Wanted.Type) -> Bool {
        var last: NSManagedObject.Type?
        for object in self where type(of: object) != last {
            guard object is Wanted else { return false }
            last = type(of: object)
        }
        return true
    }
}
