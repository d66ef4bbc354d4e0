public import CoreData

/// An entity class with a property for any module and one for this module alone.
public class Product: NSManagedObject {
    @NSManaged public var name: String
    @NSManaged var price: Decimal

    public var isFree: Bool {
        get { price == 0 }
        set { price = newValue ? 0 : 1 }
    }
}

/// A type that properties of other modules have.
public enum Availability: Int16 {
    case inStock, soldOut
}

/// Classes of other modules inherit from this one.
open class Stamped: NSManagedObject {
    @NSManaged public var stamp: Date?
}

public enum Catalogue {
    /// The folder that the build put this module's model into.
    public static var bundle: Bundle { .module }
}
