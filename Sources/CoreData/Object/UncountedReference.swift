/// A strong reference whose object can be used without being retained.
///
/// Using an object through a property retains it, which takes long compared with a short operation that is
/// repeated for many objects.
struct UncountedReference<Object: AnyObject> {
    let object: Object
    let uncounted: Unmanaged<Object>

    @inline(__always)
    init(_ object: Object) {
        self.object = object
        uncounted = Unmanaged.passUnretained(object)
    }
}
