import CoreData

/// A managed class of the tests' own.
final class Sample: NSManagedObject {
    @NSManaged var number: Int
    @NSManaged var probe: Probe?
}
