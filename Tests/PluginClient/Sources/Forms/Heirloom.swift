public import CoreData

/// Types that sources of the first years have, and rarer ones.
public class Heirloom: NSManagedObject {
    @NSManaged public var date: NSDate?
    @NSManaged public var data: NSData?
    @NSManaged public var forced: String!
    @NSManaged public var identifier: NSUUID?
    @NSManaged public var level: Level?
    @NSManaged public var link: NSURL?
    @NSManaged public var number: NSNumber
    @NSManaged public var text: NSString?
    @NSManaged public var thing: Any?
}

public struct Level: OptionSet, Sendable {
    public static let low = Level(rawValue: 1)
    public static let high = Level(rawValue: 2)

    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}
