package import CoreDataPredicates
package import CoreDataValues
import Foundation

/// The keys of an entity in predicates, such as `entity.name`.
extension NSEntityDescription: KeyedValues {
    package var identity: AnyHashable { AnyHashable(self) }
    package var rowReference: ObjectReference? { nil }
    package var entityName: String? { name ?? "" }

    package func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        switch key {
        case "name": ExpressionValue(boxing: name)
        case "managedObjectClassName": ExpressionValue(boxing: managedObjectClassName)
        case "isAbstract", "abstract": .value(.boolean(isAbstract))
        case "superentity": ExpressionValue(boxing: superentity)
        default: throw .unknownKey(key, of: "an entity, whose name can be compared,")
        }
    }

    /// Returns whether this is the entity with a name, or inherits from it.
    final func isOf(_ name: String) -> Bool {
        sequence(first: self) { $0.superentity }.contains { $0.name == name }
    }
}
