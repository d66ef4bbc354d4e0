import CoreDataPredicates
import Foundation

/// A check of a mapping model against its two models, made before the migration begins.
struct MappingCheck {
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    private let sourceHashes: [String: Data]
    private let destinationHashes: [String: Data]

    init(source: NSManagedObjectModel, destination: NSManagedObjectModel) {
        self.source = source
        self.destination = destination
        sourceHashes = source.entityVersionHashesByName
        destinationHashes = destination.entityVersionHashesByName
    }

    /// Throws `NSMigrationError` with the faults of a mapping.
    func check(_ mapping: NSMappingModel) throws {
        var names: Set<String> = []
        for entity in mapping.entityMappings ?? [] {
            guard let name = entity.name, !name.isEmpty else { throw failure(entity, "has no name") }
            guard names.insert(name).inserted else {
                throw failure(entity, "is not the only one of its name")
            }
            try check(entity, entity.sourceEntityName, entity.sourceEntityVersionHash, sourceHashes, "source")
            try check(
                entity, entity.destinationEntityName, entity.destinationEntityVersionHash, destinationHashes,
                "destination")
            for property in (entity.attributeMappings ?? []) + (entity.relationshipMappings ?? []) {
                try check(property, of: entity)
            }
        }
    }

    private func check(
        _ mapping: NSEntityMapping, _ name: String?, _ hash: Data?, _ hashes: [String: Data], _ side: String
    ) throws {
        guard let name else { return }
        guard let present = hashes[name] else {
            throw failure(mapping, "names the entity \(name), which the \(side) model does not have")
        }
        if let hash, hash != present {
            throw failure(mapping, "is for another version of the \(side) entity \(name)")
        }
    }

    private func check(_ property: NSPropertyMapping, of mapping: NSEntityMapping) throws {
        let name = property.name ?? ""
        if let entity = mapping.destinationEntityName.flatMap({ destination.entitiesByName[$0] }),
            entity.propertiesByName[name] == nil
        {
            throw failure(mapping, "names the property \(name), which \(entity.name ?? "") does not have")
        }
        guard let entity = mapping.sourceEntityName.flatMap({ source.entitiesByName[$0] }),
            let expression = property.valueExpression
        else { return }
        let known = Set(entity.family.flatMap { $0.propertiesByName.keys }).union(Self.objectKeys)
        if let key = expression.node.sourceKeys.first(where: { !known.contains($0) }) {
            throw failure(mapping, "takes \(name) from \(key), which \(entity.name ?? "") does not have")
        }
    }

    /// The keys that every object has.
    private static let objectKeys: Set<String> = [
        "self", "SELF", "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted",
        "isFault",
        "hasChanges",
    ]

    private func failure(_ mapping: NSEntityMapping, _ reason: String) -> NSError {
        MigrationFailure.error(
            "the mapping \(mapping.name ?? "(null)") \(reason)",
            entity: mapping.destinationEntityName ?? mapping.sourceEntityName)
    }
}

extension ExpressionNode {
    /// The first keys of all paths from `$source`.
    var sourceKeys: [String] {
        var keys: [String] = []
        _ = NodeRewriter { node in
            if case .keyPath(.variable(NSMigrationSourceObjectKey), let path) = node, let key = path.first,
                !key.hasPrefix("@")
            {
                keys.append(key)
            }
            return node
        }.rewrite(self)
        return keys
    }
}
