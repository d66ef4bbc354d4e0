import CoreData

/// Stands for an initializer that the library writes in Objective-C, to have `init(from:)` hand out an object that is there.
protocol ManagedObjectReplacing {}

extension NSManagedObject: ManagedObjectReplacing {}

extension ManagedObjectReplacing {
    init(anotherManagedObject object: NSManagedObject) {
        self = object as! Self
    }
}
