public import CoreData

/// A value transformer of two closures: one makes what is stored of a value, the other makes the value again.
///
///     ClosureValueTransformer.registerTransformer(
///         withName: "Colors",
///         transform: { (colors: [Color]?) in colors.map(Data.init) },
///         reverseTransform: { $0.map([Color].init) })
///
/// For a transformable attribute the stored type is `Data` or `NSData`. Both closures may be called on any queue.
public final class ClosureValueTransformer<Value, Stored>: ValueTransformer {
    public typealias Transform = @Sendable (Value?) -> Stored?
    public typealias ReverseTransform = @Sendable (Stored?) -> Value?

    private let transform: Transform
    private let reverseTransform: ReverseTransform

    public init(transform: @escaping Transform, reverseTransform: @escaping ReverseTransform) {
        self.transform = transform
        self.reverseTransform = reverseTransform
        super.init()
    }

    /// Makes a transformer known under the name that models give for it. Register it before a store is loaded.
    public static func registerTransformer(
        withName name: String, transform: @escaping Transform, reverseTransform: @escaping ReverseTransform
    ) {
        let transformer = Self(transform: transform, reverseTransform: reverseTransform)
        setValueTransformer(transformer, forName: NSValueTransformerName(name))
    }

    public override class func transformedValueClass() -> AnyClass {
        Stored.self as? AnyClass ?? NSObject.self
    }

    public override class func allowsReverseTransformation() -> Bool { true }

    /// What the closure makes of the value; of a value of another type, nil.
    public override func transformedValue(_ value: Any?) -> Any? {
        transform(value as? Value)
    }

    public override func reverseTransformedValue(_ value: Any?) -> Any? {
        reverseTransform(value as? Stored)
    }
}
