package import CoreDataPredicates
import CoreDataValues

/// The expressions that mappings get where their author wrote none (xml-store §3).
package enum MappingExpression {
    /// The methods of a migration manager that expressions call.
    package enum Method {
        package static let destinationsOfMapping =
            "destinationInstancesForEntityMappingNamed:sourceInstances:"
        package static let destinationsOfRelationship =
            "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
        package static let sourcesOfMapping = "sourceInstancesForEntityMappingNamed:destinationInstances:"
        package static let sourceRequest = "fetchRequestForSourceEntityNamed:predicateString:"
    }

    /// Makes `$source.key`, the value of the source object at a path; for an empty path, the source object
    /// itself.
    package static func sourceValue(_ keyPath: String) -> ExpressionNode {
        let keys = keyPath.split(separator: ".").map(String.init)
        return keys.isEmpty ? .variable(source) : .keyPath(operand: .variable(source), keys: keys)
    }

    /// Returns the path from the source object that the editor's text expresses, which is `$source.key` or
    /// just `key`.
    package static func sourceKeyPath(_ text: String) -> String {
        let variable = "$\(source)"
        if text == variable { return "" }
        return text.hasPrefix(variable + ".") ? String(text.dropFirst(variable.count + 1)) : text
    }

    private static let source = "source"

    /// Makes the call that returns the objects that one mapping made from the source object's related
    /// objects.
    package static func destinations(ofMapping name: String, at keyPath: String) -> ExpressionNode {
        manager(Method.destinationsOfMapping, name, keyPath)
    }

    /// Makes the call that returns the objects that all mappings made from the source object's related
    /// objects.
    package static func destinations(ofRelationship name: String, at keyPath: String) -> ExpressionNode {
        manager(Method.destinationsOfRelationship, name, keyPath)
    }

    /// Returns whether an expression returns the objects of all mappings, some of which may not belong in the
    /// relationship.
    package static func isOfAnyMapping(_ expression: ExpressionNode?) -> Bool {
        guard case .function(_, Method.destinationsOfRelationship, _)? = expression else { return false }
        return true
    }

    /// Makes the expression that fetches the objects of an entity in the source store that satisfy a
    /// predicate.
    package static func sources(
        ofEntity name: String, predicate: String = "TRUEPREDICATE"
    ) -> ExpressionNode {
        .fetch(
            request: .function(
                operand: manager, name: Method.sourceRequest,
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
