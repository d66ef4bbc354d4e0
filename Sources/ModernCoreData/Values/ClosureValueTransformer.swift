public import CoreData

/// A value transformer of two closures: one makes the stored form of a value, the other makes the value
/// again.
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
    /// A closure that makes a value of its stored form.
    public typealias ReverseTransform = @Sendable (Stored?) -> Value?

    private let transform: Transform
    private let reverseTransform: ReverseTransform

    /// Makes a transformer of two closures.
    public init(transform: @escaping Transform, reverseTransform: @escaping ReverseTransform) {
        self.transform = transform
        self.reverseTransform = reverseTransform
        super.init()
    }

    /// Registers a transformer under the name that models give for it, which has to happen before a store is
    /// loaded.
    public static func registerTransformer(
        withName name: String, transform: @escaping Transform, reverseTransform: @escaping ReverseTransform
    ) {
        let transformer = Self(transform: transform, reverseTransform: reverseTransform)
        setValueTransformer(transformer, forName: NSValueTransformerName(name))
    }

    /// Returns the class of the stored form, or `NSObject` if it is none.
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
