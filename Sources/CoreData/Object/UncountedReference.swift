/// An object that is kept, and a reference to it that is not counted.
///
/// Using an object through a property counts one, which takes long beside what is done with it for one of
/// many others.
struct UncountedReference<Object: AnyObject> {
    let object: Object
    let uncounted: Unmanaged<Object>

    @inline(__always)
    init(_ object: Object) {
        self.object = object
        uncounted = Unmanaged.passUnretained(object)
    }
}
