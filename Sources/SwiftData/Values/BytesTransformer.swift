import CoreData

/// The transformer of attributes whose data the models encode and decode themselves: it changes nothing.
final class BytesTransformer: ValueTransformer {
    /// The name in models of stores.
    static let name = "SwiftDataCodableValue"

    /// Registers the transformer, once.
    static let register: Void = setValueTransformer(
        BytesTransformer(), forName: NSValueTransformerName(name))

    override class func allowsReverseTransformation() -> Bool { true }
    override func transformedValue(_ value: Any?) -> Any? { value }
    override func reverseTransformedValue(_ value: Any?) -> Any? { value }
}
