public import CoreData

public class Remark: NSManagedObject {
    @NSManaged public var text: String?
    @NSManaged public var article: Article?
    @NSManaged public var readArticles: NSSet?
}
