import CoreDataModelFormat

extension NSManagedObject {
    /// Gives a new object its entity's class, whatever class its initializer was called on.
    ///
    /// On Apple's systems an initializer may return another object. Here an object of `NSManagedObject`
    /// itself, as code that uses only keys makes it, becomes one of the entity's class: the memory layout is
    /// the same unless the class adds stored properties. Objects of every other class keep their class, since
    /// the compiler may have relied on it.
    final func takeClassOfEntity() {
        let made = type(of: self)
        let right = runtime.objectClass
        if made == right || isInherited(right, by: made) { return runtime.noteFitting(made) }
        guard made == NSManagedObject.self, !adds(right, storageTo: made) else {
            let name = runtime.name
            programmerError(
                "An object of the entity '\(name)' has the class \(String(reflecting: right)), which "
                    + "\(made)(entity:insertInto:) cannot make: call \(right)(context:), or "
                    + "NSEntityDescription.insertNewObject(forEntityName: \"\(name)\", into:).")
        }
        // The first word of a Swift object is its class.
        Unmanaged.passUnretained(self).toOpaque()
            .storeBytes(of: unsafeBitCast(right, to: UInt.self), as: UInt.self)
    }

    private final func isInherited(_ ancestor: NSManagedObject.Type, by type: NSManagedObject.Type) -> Bool {
        sequence(first: type as AnyClass) { _getSuperclass($0) }.contains { $0 == ancestor }
    }

    private final func adds(_ subclass: NSManagedObject.Type, storageTo type: NSManagedObject.Type) -> Bool {
        instanceSize(subclass) != instanceSize(type)
    }
}

/// Returns the size in bytes of an object of a class: a function of the standard library that has no public
/// name.
@_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
private func instanceSize(_ type: AnyClass) -> Int
