import CoreData
import CoreDataModelFormat
import CoreDataValues
import Foundation

/// A model that works without its app: it names no classes, and the values of transformable attributes are
/// the stored bytes.
///
/// Its tables are the same as those of the app's model.
enum PlainModel {
    /// - Parameter decodes: Whether what the standard transformers archive, and Foundation's classes can be made of, is
    ///   decoded.
    static func document(from document: ModelDocument, decoding decodes: Bool = false) -> ModelDocument {
        _ = registered
        var plain = document
        for entity in plain.entities.indices {
            plain.entities[entity].className = nil
            for index in plain.entities[entity].attributes.indices
            where plain.entities[entity].attributes[index].type == .transformable {
                let name = plain.entities[entity].attributes[index].valueTransformerName ?? ""
                if decodes, standardNames.contains(name) { continue }
                plain.entities[entity].attributes[index].valueTransformerName = transformerName
                plain.entities[entity].attributes[index].customClassName = nil
                plain.entities[entity].attributes[index].defaultValue = .null
            }
        }
        return plain
    }

    private static let standardNames: Set = [
        "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData",
    ]
    private static let transformerName = "StoredBytes"

    /// Registers the transformer once per process, since Foundation's registry is global.
    private static let registered: Void = ValueTransformer.setValueTransformer(
        StoredBytes(), forName: NSValueTransformerName(transformerName))

    /// A transformer that returns bytes unchanged, in both directions.
    private final class StoredBytes: ValueTransformer {
        override func transformedValue(_ value: Any?) -> Any? { value }
        override func reverseTransformedValue(_ value: Any?) -> Any? { value }
    }
}
