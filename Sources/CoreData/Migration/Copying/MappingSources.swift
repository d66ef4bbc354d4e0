import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// The source objects of an entity mapping.
struct MappingSources {
    private let manager: NSMigrationManager
    private let mapping: NSEntityMapping

    init(_ manager: NSMigrationManager, _ mapping: NSEntityMapping) {
        self.manager = manager
        self.mapping = mapping
    }

    func references() throws -> [ObjectReference] {
        guard manager.sourceEntity(for: mapping) != nil else { return [] }
        do {
            guard let node = mapping.sourceExpression?.node else {
                return try manager.source.references(
                    of: manager.fetchRequest(
                        forSourceEntityNamed: mapping.sourceEntityName ?? "", predicate: nil))
            }
            // What a request finds is read in batches.
            if case .fetch(
                let request, .keyPath(.variable(NSMigrationManagerKey), ["sourceContext"]), false) = node,
                let request = try value(of: request).unboxed as? NSFetchRequest<any NSFetchRequestResult>
            {
                return try manager.source.references(of: request)
            }
            return try objects(in: try value(of: node)).map(manager.source.reference)
        } catch let error as EvaluationError {
            throw MigrationFailure.error(
                "the mapping \(mapping.name ?? ""): its source cannot be found: \(error)",
                entity: mapping.sourceEntityName)
        }
    }

    private func value(of node: ExpressionNode) throws -> ExpressionValue {
        try ExpressionEvaluator(node).value(
            for: .object(manager),
            variables: [
                NSMigrationManagerKey: .object(manager), NSMigrationEntityMappingKey: .object(mapping),
            ])
    }

    private func objects(in value: ExpressionValue) throws -> [NSManagedObject] {
        switch value {
        case .value(.null): return []
        case .collection(let elements, _): return try elements.flatMap(objects)
        default:
            guard let object = value.unboxed as? NSManagedObject,
                object.managedObjectContext === manager.sourceContext
            else { throw EvaluationError.failedFetch("\(value.summary) is no object of the source") }
            return [object]
        }
    }
}
