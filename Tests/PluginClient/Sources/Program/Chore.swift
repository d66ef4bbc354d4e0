import CoreData

@objc(Chore)
final class Chore: NSManagedObject {
    @NSManaged var title: String?
    @NSManaged var minutes: Int16
}
