public import CoreData

/// A value transformer made of two closures: one makes the stored form of a value, and the other restores the
/// value.
///
///     ClosureValueTransformer.registerTransformer(
///         withName: "Colors",
///         transform: { (colors: [Color]?) in colors.map(Data.init) },
///         reverseTransform: { $0.map([Color].init) })
///
/// For a transformable attribute the stored type is `Data` or `NSData`. Both closures may be called on any
/// queue.
public final class ClosureValueTransformer<Value, Stored>: ValueTransformer {
    /// A closure that makes the stored form of a value.
    public typealias Transform = @Sendable (Value?) -> Stored?
    /// A closure that restores a value from its stored form.
    public typealias ReverseTransform = @Sendable (Stored?) -> Value?

    private let transform: Transform
    private let reverseTransform: ReverseTransform

    /// Makes a transformer from two closures.
    public init(transform: @escaping Transform, reverseTransform: @escaping ReverseTransform) {
        self.transform = transform
        self.reverseTransform = reverseTransform
        super.init()
    }

    /// Registers a transformer under the name that models use for it. Call it before a store is loaded.
    public static func registerTransformer(
        withName name: String, transform: @escaping Transform, reverseTransform: @escaping ReverseTransform
    ) {
        let transformer = Self(transform: transform, reverseTransform: reverseTransform)
        setValueTransformer(transformer, forName: NSValueTransformerName(name))
    }

    /// Returns the class of the stored form, or `NSObject` if the stored form is not an object of a class.
    public override class func transformedValueClass() -> AnyClass {
        Stored.self as? AnyClass ?? NSObject.self
    }

    /// Returns true.
    public override class func allowsReverseTransformation() -> Bool { true }

    /// Returns the stored form of a value; a value of another type is passed to the closure as nil.
    public override func transformedValue(_ value: Any?) -> Any? {
        transform(value as? Value)
    }

    /// Returns the value of a stored form; a stored form of another type is passed to the closure as nil.
    public override func reverseTransformedValue(_ value: Any?) -> Any? {
        reverseTransform(value as? Stored)
    }
}
