import CoreDataModelFormat
package import CoreDataPredicates
package import CoreDataValues
import Foundation

/// The members of `$manager` that value expressions can read or call.
extension NSMigrationManager: MethodReceiver {
    package final var identity: AnyHashable { AnyHashable(ObjectIdentifier(self)) }
    package final var rowReference: ObjectReference? { nil }

    package final func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        let value: ExpressionValue? =
            switch key {
            case "sourceContext": ExpressionValue(boxing: sourceContext)
            case "destinationContext": ExpressionValue(boxing: destinationContext)
            case "sourceModel": ExpressionValue(boxing: sourceModel)
            case "destinationModel": ExpressionValue(boxing: destinationModel)
            case "mappingModel": ExpressionValue(boxing: mappingModel)
            case "currentEntityMapping": .object(currentEntityMapping)
            case "migrationProgress": .value(.double(Double(migrationProgress)))
            case "userInfo": ExpressionValue(boxing: userInfo)
            default: ExposedMethods.value(forKey: key, of: self)
            }
        guard let value else { throw .unknownKey(key, of: "the migration manager") }
        return value
    }

    package final func call(_ name: String, _ arguments: [ExpressionValue]) throws -> ExpressionValue? {
        func text(_ index: Int) throws -> String {
            guard let text = arguments[index].text else {
                throw MigrationFailure.error("\(name) needs a name, not \(arguments[index].summary)")
            }
            return text
        }
        switch name {
        case MappingExpression.Method.destinationsOfMapping:
            return list(
                destinationInstances(
                    forEntityMappingName: try mappingName(try text(0)),
                    sourceInstances: try objects(arguments[1])))
        case MappingExpression.Method.destinationsOfRelationship:
            return list(destinationInstances(of: try objects(arguments[1])))
        case MappingExpression.Method.sourcesOfMapping:
            return list(
                sourceInstances(
                    forEntityMappingName: try mappingName(try text(0)),
                    destinationInstances: try objects(arguments[1])))
        case MappingExpression.Method.sourceRequest:
            return ExpressionValue(
                boxing: fetchRequest(forSourceEntityNamed: try text(0), predicate: try predicate(try text(1)))
            )
        default: return try ExposedMethods.value(of: name, arguments, on: self)
        }
    }

    /// Returns a request for all objects of an entity that match a predicate, without those of subentities,
    /// which have mappings of their own.
    final func fetchRequest(
        forSourceEntityNamed name: String, predicate: NSPredicate?
    ) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
        request.predicate = predicate
        request.includesSubentities = false
        return request
    }

    private final func list(_ objects: [NSManagedObject]) -> ExpressionValue {
        .collection(objects.map(ExpressionValue.object), isOrdered: true)
    }

    private final func predicate(_ text: String) throws -> NSPredicate? {
        text == "TRUEPREDICATE" ? nil : try ModelText.predicate(text)
    }

    private final func mappingName(_ name: String) throws -> String {
        guard mappingModel.entityMappings.contains(where: { $0.name == name }) else {
            throw MigrationFailure.error("an expression names the unknown entity mapping \"\(name)\"")
        }
        return name
    }

    /// Returns the objects that a value stands for: one, several, or none.
    private final func objects(_ value: ExpressionValue) throws -> [NSManagedObject] {
        switch value {
        case .value(.null): return []
        case .collection(let elements, _): return try elements.flatMap(objects)
        default:
            guard let object = value.unboxed as? NSManagedObject else {
                throw MigrationFailure.error(
                    "an expression needs an object of a store, not \(value.summary)")
            }
            return [object]
        }
    }
}
