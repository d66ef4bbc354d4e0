/// A predicate or expression in the form of Apple's archives (mom §4): the name of a class and its fields in
/// order. Its parts are still trees, which the writer of the archive converts in turn.
package struct NodeArchive: Sendable {
    package enum Field: Sendable {
        case integer(Int64)
        case flag(Bool)
        case text(String)
        case null
        case constant(ExpressionValue)
        case expression(ExpressionNode)
        case expressions([ExpressionNode])
        case predicate(PredicateNode)
        case predicates([PredicateNode])
        /// An array with a key path specifier, the only argument of a key path expression.
        case keyPathSpecifier([String])
        /// The operator of a comparison, which is a separate object.
        case comparisonOperator(ComparisonNode)
    }

    package let className: String
    package let fields: [(key: String, field: Field)]

    init(_ className: String, _ fields: KeyValuePairs<String, Field> = [:]) {
        self.className = className
        self.fields = fields.map { ($0.key, $0.value) }
    }

    /// Returns the object that contains the path in a key path expression.
    package static func keyPathSpecifier(_ keys: [String]) -> NodeArchive {
        NodeArchive(
            "NSKeyPathSpecifierExpression",
            ["NSExpressionType": .integer(10), "NSKeyPath": .text(keys.joined(separator: "."))])
    }
}

/// The error for a closure or an object, which archives cannot contain.
package struct UnarchivableNode: Error, CustomStringConvertible {
    package let description: String
}

/// A constant that is a class. Archives use it to name the class that implements the framework's functions.
package struct ClassConstant: Hashable, Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The operand of the framework's own functions.
    package static let predicateUtilities = ClassConstant("_NSPredicateUtilities")

    package var node: ExpressionNode { .constant(.opaque(AnyHashable(self))) }

    package static func name(in value: ExpressionValue) -> String? {
        guard case .opaque(let value) = value else { return nil }
        return (value.base as? ClassConstant)?.name
    }
}
