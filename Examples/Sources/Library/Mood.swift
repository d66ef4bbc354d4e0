import CoreData

final class Mood: NSManagedObject {
    @NSManaged fileprivate(set) var date: Date
    @NSManaged var rating: Int16
    @NSManaged var note: String?
    @NSManaged var country: Country
    @NSManaged private var primitiveDate: Date
}
