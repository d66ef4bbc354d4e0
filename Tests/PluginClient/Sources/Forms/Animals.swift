public import CoreData

/// An abstract entity, two levels of entities below it, and class names that are not the entities'.
open class Animal: NSManagedObject {
    @NSManaged open var name: String?
    @NSManaged public var owner: Person?
}

/// A managed property as the witness of a protocol.
public protocol Named: AnyObject {
    var name: String? { get set }
}

extension Named {
    public func shout() { name = name?.uppercased() }
}

extension Animal: Named {}

public class Hound: Animal {
    @NSManaged public var tricks: Int32
}

public final class Puppy: Hound {
    @NSManaged public var weeks: Int16

    /// A managed property of the superclass, with a rule of this class.
    public override var tricks: Int32 {
        get { super.tricks }
        set { super.tricks = min(newValue, 3) }
    }
}
