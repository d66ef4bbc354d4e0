import CoreDataModelFormat
import CoreDataStore
import Foundation

/// Transformable attributes: the app's value on one side, the stored data on the other.
///
/// A transformer of the app's own turns the value into data. The unarchiving ones of Foundation are named for the
/// other direction and are therefore used in reverse.
enum ValueTransforms {
    static func data(for value: Any, of runtime: EntityRuntime, slot: PropertySlot) -> Data? {
        let transformer = transformer(of: runtime, slot)
        let transformed =
            isUnarchiver(transformer)
            ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
        guard let data = transformed as? Data else {
            programmerError(
                "The value transformer of \"\(runtime.compiled.name).\(slot.name)\" made no data of \(value): "
                    + "transform to Data, or allow the value's class.")
        }
        return data
    }

    static func value(from data: Data, of runtime: EntityRuntime, slot: PropertySlot) -> Any? {
        let transformer = transformer(of: runtime, slot)
        return isUnarchiver(transformer)
            ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }

    private static func isUnarchiver(_ transformer: ValueTransformer) -> Bool {
        transformer is NSSecureUnarchiveFromDataTransformer
    }

    private static func transformer(of runtime: EntityRuntime, _ slot: PropertySlot) -> ValueTransformer {
        let name = (runtime.properties[slot.index] as? NSAttributeDescription)?.valueTransformerName ?? ""
        let effective =
            name.isEmpty || name == "NSKeyedUnarchiveFromData"
            ? NSValueTransformerName.secureUnarchiveFromDataTransformerName : NSValueTransformerName(name)
        guard let transformer = ValueTransformer(forName: effective) else {
            programmerError(
                "No value transformer is registered under the name \"\(effective.rawValue)\", which "
                    + "\"\(runtime.compiled.name).\(slot.name)\" needs: call "
                    + "ValueTransformer.setValueTransformer(_:forName:) before the store is used.")
        }
        return transformer
    }
}
