import CoreData

/// One colour of a picture, as few bytes as the eye needs.
final class Color: NSObject {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Color else { return false }
        return (red, green, blue) == (other.red, other.green, other.blue)
    }

    override var hash: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}

/// Stores colours as three bytes each.
final class ColorsTransformer: ValueTransformer {
    static let name = NSValueTransformerName("ColorsTransformer")

    static func register() {
        ValueTransformer.setValueTransformer(ColorsTransformer(), forName: name)
    }

    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let colors = value as? [Color] else { return nil }
        return Data(colors.flatMap { [$0.red, $0.green, $0.blue] })
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, data.count.isMultiple(of: 3) else { return nil }
        let bytes = [UInt8](data)
        return stride(from: 0, to: bytes.count, by: 3).map {
            Color(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
        }
    }
}
