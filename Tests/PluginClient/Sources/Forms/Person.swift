public import CoreData

/// Relationships, primitive accessors, private members and validation.
public class Person: NSManagedObject {
    @NSManaged public var age: Int16
    @NSManaged public internal(set) var nickname: String?
    @NSManaged private var secret: String?
    @NSManaged fileprivate var primitiveBirthday: Date?
    @NSManaged private var primitiveAge: NSNumber

    @NSManaged public var friends: Set<Person>
    @NSManaged public var pets: NSSet?
    @NSManaged public var songs: NSOrderedSet

    /// An accessor by hand, over the primitive one.
    public var birthday: Date? {
        get {
            willAccessValue(forKey: "birthday")
            defer { didAccessValue(forKey: "birthday") }
            return primitiveBirthday
        }
        set {
            willChangeValue(forKey: "birthday")
            primitiveBirthday = newValue
            didChangeValue(forKey: "birthday")
        }
    }

    public func keep(secret: String?) { self.secret = secret }
    public func tellSecret() -> String? { secret }
    public func silently(age: Int) { primitiveAge = NSNumber(value: age) }
    public func call(_ name: String) { nickname = name }

    func validateAge(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let age = value.pointee as? NSNumber, age.intValue > 150 else { return }
        throw NSError(domain: "Forms", code: 150)
    }
}

extension Person {
    @NSManaged public func addToFriends(_ value: Person)
    @NSManaged public func addToFriends(_ values: NSSet)
    @NSManaged public func removeFromFriends(_ value: Person)
    @NSManaged public func addToPets(_ value: Animal)
    @NSManaged public func addToSongs(_ values: NSOrderedSet)
    @NSManaged public func insertIntoSongs(_ value: Track, at idx: Int)
    @NSManaged public func replaceSongs(at idx: Int, with value: Track)
    @NSManaged public func removeFromSongs(at indexes: NSIndexSet)
}
