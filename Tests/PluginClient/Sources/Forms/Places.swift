public import Catalogue
public import CoreData

/// A class inside another type, with a type inside it.
public enum Models {
    public class Entry: NSManagedObject {
        public enum Kind: Int16 {
            case memo, letter
        }

        @NSManaged public var kind: Kind
        @NSManaged public var title: String?
    }
}

/// A generic class over a class of another module.
open class Measured<Value: NSObject>: Stamped {
    @NSManaged public var value: Value?
}

public final class Reading: Measured<NSNumber> {
    @NSManaged public var availability: Availability
}

/// A property of another module's class.
extension Product {
    @NSManaged public var shelf: String?
}

/// A class of the main actor.
@MainActor
public final class Widget: NSManagedObject {
    @NSManaged public var width: Double
}

/// The class of an entity whose properties are generated.
public class Street: NSManagedObject {
    public var sign: String { (name ?? "").uppercased() }
}

public enum Forms {
    /// The folder that the build put this module's models into.
    public static var bundle: Bundle { .module }
}
