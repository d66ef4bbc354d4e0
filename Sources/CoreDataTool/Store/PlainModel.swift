import CoreData
import CoreDataModelFormat
import CoreDataValues
import Foundation

/// A model without its app: no classes, and the values of transformable attributes are the bytes that the store has,
/// whatever the app's transformers would make of them. Tables stay the same.
enum PlainModel {
    static func document(from document: ModelDocument) -> ModelDocument {
        _ = registered
        var plain = document
        for entity in plain.entities.indices {
            plain.entities[entity].className = nil
            for index in plain.entities[entity].attributes.indices
            where plain.entities[entity].attributes[index].type == .transformable {
                plain.entities[entity].attributes[index].valueTransformerName = transformerName
                plain.entities[entity].attributes[index].customClassName = nil
                plain.entities[entity].attributes[index].defaultValue = .null
            }
        }
        return plain
    }

    private static let transformerName = "StoredBytes"

    /// Once a process: the registry is Foundation's.
    private static let registered: Void = ValueTransformer.setValueTransformer(
        StoredBytes(), forName: NSValueTransformerName(transformerName))

    /// Bytes on both sides.
    private final class StoredBytes: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { value }
        override func reverseTransformedValue(_ value: Any?) -> Any? { value }
    }
}
