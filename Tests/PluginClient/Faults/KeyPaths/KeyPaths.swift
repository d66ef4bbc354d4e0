import CoreData

@objc(KeyPaths) final class KeyPaths: NSManagedObject {
    @NSManaged var name: Missing  // error: cannot find type 'Missing'
}

@objc class Other: NSObject {
    let wrong = #keyPath(KeyPaths.nam)  // error: value of type 'KeyPaths' has no member 'nam'
    @objc let text: String = 1  // error: cannot convert value of type 'Int' to specified type 'String'
}
