import CoreData

/// Replaces an initializer that the library writes in Objective-C, so that `init(from:)` can return an
/// existing object.
protocol ManagedObjectReplacing {}

extension NSManagedObject: ManagedObjectReplacing {}

extension ManagedObjectReplacing {
    init(anotherManagedObject object: NSManagedObject) {
        self = object as! Self
    }
}
