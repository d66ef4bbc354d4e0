import CoreDataPredicates
import CoreDataValues
import Foundation
import Synchronization

extension PredicateExpressions.TypeCheck: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        Meaning(try translator.cast(input, to: Desired.self, in: self).presence)
    }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.cast(input, to: Desired.self, in: self)
    }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let cast = try translator.cast(input, to: Desired.self, in: self)
        return Desired.self is any OptionalType.Type ? cast : cast.unwrapped
    }
}

extension PredicateTranslator {
    /// Returns the value as another type; its presence is the condition under which it is of that type.
    fileprivate func cast<Input: PredicateExpression, Desired>(
        _ input: Input, to type: Desired.Type, in node: some PredicateExpression
    ) throws(PredicateTranslationError) -> Meaning {
        let value = try meaning(of: input)
        let source = Self.unwrapped(Input.Output.self)
        let target = Self.unwrapped(type)
        if source == target { return value }
        guard let ancestor = source as? AnyClass, let descendant = target as? AnyClass,
            let family = EntityFamilies.names(of: descendant), EntityFamilies.names(of: ancestor) != nil
        else { throw untranslatable(node, "predicates cannot cast \(source) to \(target)") }
        if Self.isSubclass(ancestor, of: descendant) { return value }
        guard let name = family.first else {
            throw untranslatable(node, "no model in use has an entity with the class \(descendant)")
        }
        let object = try value.expression(of: node)
        let names = ExpressionNode.constant(
            .collection(family.map { .value(.string($0)) }, isOrdered: true))
        let isOfEntity = ComparisonNode(object.appending("entity").appending("name"), .in, names)
        let type = ExpressionNode.constant(.value(.string(name)))
        return Meaning(
            .function(operand: nil, name: "castObject:toType:", arguments: [object, type]),
            presence: .all([value.presence, .comparison(isOfEntity)]))
    }

    private static func unwrapped(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalType.Type).map { unwrapped($0.wrappedType) } ?? type
    }

    private static func isSubclass(_ type: AnyClass, of other: AnyClass) -> Bool {
        sequence(first: type) { _getSuperclass($0) }.contains { $0 == other }
    }
}

/// The entities of classes: that of the class first, then those of its subclasses.
package enum EntityFamilies {
    /// A function that names the entities of a class that is no managed object; nil for a class without any.
    package typealias Names = @Sendable (AnyClass) -> [String]?

    private static let others = Mutex<Names?>(nil)

    /// Sets the function that is asked for classes of another product.
    package static func name(by function: @escaping Names) { others.withLock { $0 = function } }

    /// Returns the names of the entities, none if no model in use has the class; nil for a class that cannot
    /// have an entity.
    fileprivate static func names(of type: AnyClass) -> [String]? {
        guard let managed = type as? NSManagedObject.Type else { return others.withLock { $0 }?(type) }
        return EntityClasses.knownEntity(for: managed)?.family.compactMap(\.name) ?? []
    }
}
