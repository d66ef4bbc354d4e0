package import CoreDataPredicates
import CoreDataValues

/// The expressions that mappings consist of where nobody wrote others (xml-binary-stores, "Mapping models").
package enum MappingExpression {
    /// `$source.key`: what the source object has there.
    package static func sourceValue(_ keyPath: String) -> ExpressionNode {
        .keyPath(operand: .variable("source"), keys: keyPath.split(separator: ".").map(String.init))
    }

    /// What one mapping has made of the objects that the source object is related to.
    package static func destinations(ofMapping name: String, at keyPath: String) -> ExpressionNode {
        manager("destinationInstancesForEntityMappingNamed:sourceInstances:", name, keyPath)
    }

    /// What all mappings have made of the objects that the source object is related to.
    package static func destinations(ofRelationship name: String, at keyPath: String) -> ExpressionNode {
        manager("destinationInstancesForSourceRelationshipNamed:sourceInstances:", name, keyPath)
    }

    /// The objects of an entity in the source store that a predicate is true of.
    package static func sources(
        ofEntity name: String, predicate: String = "TRUEPREDICATE"
    ) -> ExpressionNode {
        .fetch(
            request: .function(
                operand: manager, name: "fetchRequestForSourceEntityNamed:predicateString:",
                arguments: [text(name), text(predicate)]),
            context: .keyPath(operand: manager, keys: ["sourceContext"]),
            isCountOnly: false)
    }

    private static let manager = ExpressionNode.variable("manager")

    private static func manager(_ function: String, _ name: String, _ keyPath: String) -> ExpressionNode {
        .function(operand: manager, name: function, arguments: [text(name), sourceValue(keyPath)])
    }

    private static func text(_ text: String) -> ExpressionNode { .constant(.value(.string(text))) }
}
