import CoreDataPredicates
import Foundation

/// The class of an expression in an archive.
///
/// Subclasses stand for Apple's private classes of expressions, and no instance is made when an archive is
/// read.
class ArchivedExpression: NSExpression, @unchecked Sendable {
    override class func classForKeyedUnarchiver() -> AnyClass { NSExpression.self }

    /// Names Apple's class in archives, for readers that do not have this module's class.
    override class func classFallbacksForKeyedArchiver() -> [String] {
        forms.filter { $0.value == self }.map(\.key)
    }

    /// The classes by the names that Apple's archives use.
    static let forms: [String: ArchivedExpression.Type] = [
        "NSConstantValueExpression": ArchivedConstant.self,
        "NSSelfExpression": ArchivedEvaluatedObject.self,
        "NSVariableExpression": ArchivedVariable.self,
        "NSKeyPathExpression": ArchivedKeyPath.self,
        "NSKeyPathSpecifierExpression": ArchivedKeyPathSpecifier.self,
        "NSFunctionExpression": ArchivedFunction.self,
        "NSSetExpression": ArchivedSet.self,
        "NSSubqueryExpression": ArchivedSubquery.self,
        "NSAggregateExpression": ArchivedAggregate.self,
        "NSAnyKeyExpression": ArchivedAnyKey.self,
        "NSTernaryExpression": ArchivedTernary.self,
    ]
}

// Not nested, since a coder finds only the classes of a module's top level by name.
final class ArchivedConstant: ArchivedExpression, @unchecked Sendable {}
final class ArchivedEvaluatedObject: ArchivedExpression, @unchecked Sendable {}
final class ArchivedVariable: ArchivedExpression, @unchecked Sendable {}
final class ArchivedKeyPath: ArchivedExpression, @unchecked Sendable {}
final class ArchivedFunction: ArchivedExpression, @unchecked Sendable {}
final class ArchivedSet: ArchivedExpression, @unchecked Sendable {}
final class ArchivedSubquery: ArchivedExpression, @unchecked Sendable {}
final class ArchivedAggregate: ArchivedExpression, @unchecked Sendable {}
final class ArchivedAnyKey: ArchivedExpression, @unchecked Sendable {}
final class ArchivedTernary: ArchivedExpression, @unchecked Sendable {}

/// The path within a key path expression: the one form that is written as an object of its own.
///
/// It equals no expression, since a coder writes equal objects once.
final class ArchivedKeyPathSpecifier: ArchivedExpression, @unchecked Sendable {
    private struct Keys: Hashable {
        let keys: [String]
    }

    convenience init(_ keys: [String]) {
        self.init(node: .constant(.opaque(AnyHashable(Keys(keys: keys)))))
    }

    override var classForKeyedArchiver: AnyClass? { ArchivedKeyPathSpecifier.self }

    override func archive() throws(UnarchivableNode) -> NodeArchive {
        guard case .constant(.opaque(let value)) = node, let path = value.base as? Keys else {
            return try super.archive()
        }
        return .keyPathSpecifier(path.keys)
    }
}
