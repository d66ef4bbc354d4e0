public import CoreData

/// An abstract entity, two levels of entities below it, and class names that are not the entities'.
open class Animal: NSManagedObject {
    @NSManaged open var name: String?
    @NSManaged public var owner: Person?
}

public class Hound: Animal {
    @NSManaged public var tricks: Int32
}

public final class Puppy: Hound {
    @NSManaged public var weeks: Int16
}
