public import CoreData

/// Transformable attributes: a type of the app, and collections.
public class Painting: NSManagedObject {
    @NSManaged public var colour: Colour?
    @NSManaged public var plain: Colour
    @NSManaged public var tags: [String]
    @NSManaged public var scores: [String: Int]?
}

public final class Colour: NSObject {
    public let red: UInt8
    public let green: UInt8

    public init(red: UInt8, green: UInt8) {
        self.red = red
        self.green = green
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Colour else { return false }
        return (red, green) == (other.red, other.green)
    }

    public override var hash: Int { Int(red) << 8 | Int(green) }
}

public final class ColourTransformer: ValueTransformer {
    public static func register() {
        ValueTransformer.setValueTransformer(
            ColourTransformer(), forName: NSValueTransformerName("ColourTransformer"))
    }

    public override class func transformedValueClass() -> AnyClass { NSData.self }
    public override class func allowsReverseTransformation() -> Bool { true }

    public override func transformedValue(_ value: Any?) -> Any? {
        (value as? Colour).map { Data([$0.red, $0.green]) }
    }

    public override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, data.count == 2 else { return nil }
        return Colour(red: data[data.startIndex], green: data[data.startIndex + 1])
    }
}
