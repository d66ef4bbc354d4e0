import CoreData
import Foundation

/// Entity mappings in a few words.
enum MappingSketch {
    /// - Parameters:
    ///   - values: Expressions by the names of attributes.
    ///   - links: Expressions by the names of relationships.
    static func entity(
        _ name: String, from source: String?, to destination: String?, _ values: [String: String] = [:],
        links: [String: String] = [:], where predicate: String? = nil,
        policy: NSEntityMigrationPolicy.Type? = nil
    ) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = name
        mapping.mappingType = policy == nil ? .transformEntityMappingType : .customEntityMappingType
        mapping.sourceEntityName = source
        mapping.destinationEntityName = destination
        mapping.attributeMappings = properties(values)
        mapping.relationshipMappings = properties(links)
        if let predicate, let source {
            mapping.sourceExpression = NSExpression(
                format: """
                    FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "\(source)", \
                    "\(predicate)"), $manager.sourceContext, NO)
                    """)
        }
        mapping.entityMigrationPolicyClassName = policy.map { String(reflecting: $0) }
        return mapping
    }

    static func model(_ entities: NSEntityMapping...) -> NSMappingModel {
        let model = NSMappingModel()
        model.entityMappings = entities
        return model
    }

    /// Returns an expression for the objects that a mapping has made from those at a key path of the source.
    static func made(by mapping: String, at keyPath: String) -> String {
        """
        FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "\(mapping)", \
        $source.\(keyPath))
        """
    }

    private static func properties(_ expressions: [String: String]) -> [NSPropertyMapping] {
        expressions.sorted { $0.key < $1.key }.map { name, expression in
            let mapping = NSPropertyMapping()
            mapping.name = name
            mapping.valueExpression = NSExpression(format: expression)
            return mapping
        }
    }
}
