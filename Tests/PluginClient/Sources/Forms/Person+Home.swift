public import CoreData

public class Home: NSManagedObject {
    @NSManaged public var street: String?
    @NSManaged var people: Set<Person>?

    public var size: Int { people?.count ?? 0 }
}

/// A property of a class in another file.
extension Person {
    @NSManaged public var home: Home?
}

extension Home {
    @NSManaged fileprivate var primitiveStreet: String?
}

extension Home {
    public var rawStreet: String? {
        get { primitiveStreet }
        set { primitiveStreet = newValue }
    }
}

/// The class of the entity `Song`.
public class Track: NSManagedObject {
    @NSManaged public var title: String?
    @NSManaged public var person: Person?
}
