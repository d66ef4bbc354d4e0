import CoreDataModelFormat
import CoreDataStore
import Foundation
import Synchronization

/// The conversion of values of transformable attributes into stored data, and back.
///
/// A transformer of an app's own turns the value into data. Foundation's unarchiving transformers are named
/// for the other direction and are therefore used in reverse.
enum ValueTransforms {
    static func data(
        for value: Any, of attribute: NSAttributeDescription, in entity: NSEntityDescription
    ) -> Data? {
        let transformer = transformer(of: attribute, in: entity)
        let transformed =
            isUnarchiver(transformer)
            ? transformer.reverseTransformedValue(value) : transformer.transformedValue(value)
        guard let data = transformed as? Data else {
            programmerError(
                "The value transformer of \"\(entity.name ?? "").\(attribute.name)\" (\(type(of: transformer))) made "
                    + "no data of \(value): register one that transforms to Data, or allow the value's class."
            )
        }
        return data
    }

    static func value(
        from data: Data, of attribute: NSAttributeDescription, in entity: NSEntityDescription
    ) -> Any? {
        let transformer = transformer(of: attribute, in: entity)
        return isUnarchiver(transformer)
            ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }

    private static func isUnarchiver(_ transformer: ValueTransformer) -> Bool {
        transformer is NSSecureUnarchiveFromDataTransformer
    }

    private static func transformer(
        of attribute: NSAttributeDescription, in entity: NSEntityDescription
    ) -> ValueTransformer {
        if let transformer = ValueTransformer(forName: name(for: attribute)) { return transformer }
        report(attribute, of: entity)
        return standard
    }

    private static var standard: ValueTransformer { NSSecureUnarchiveFromDataTransformer() }

    private static func name(for attribute: NSAttributeDescription) -> NSValueTransformerName {
        let name = attribute.valueTransformerName ?? ""
        return name.isEmpty ? .secureUnarchiveFromDataTransformerName : NSValueTransformerName(name)
    }

    // MARK: Transformers that are missing

    /// Logs the transformers that a model names and that are not registered.
    ///
    /// Their attributes are stored as archives: other data reads as nil and stays in the store as it is.
    static func reportMissing(in model: FrozenModel) {
        for entity in model.entities {
            for attribute in entity.attributesByName.values
            where attribute.attributeType == .transformableAttributeType && attribute.entity === entity {
                if ValueTransformer(forName: name(for: attribute)) == nil { report(attribute, of: entity) }
            }
        }
    }

    private static let reported = Mutex<Set<String>>([])

    /// Logs a missing transformer, once for an attribute.
    private static func report(_ attribute: NSAttributeDescription, of entity: NSEntityDescription) {
        let message =
            "No NSValueTransformer with class name '\(name(for: attribute).rawValue)' was found for attribute "
            + "'\(attribute.name)' on entity '\(entity.name ?? "")': call "
            + "ValueTransformer.setValueTransformer(_:forName:) before the store is loaded. Until then its values "
            + "are secure archives, and any other data reads as nil."
        if reported.withLock({ $0.insert(message).inserted }) { FrameworkLog.warning(message) }
    }
}
