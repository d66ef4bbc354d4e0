/// A predicate that is a closure; it is equal only to itself.
package final class PredicateBlock: @unchecked Sendable, Hashable {
    package let evaluate: (Any?, [String: Any]?) -> Bool

    package init(_ evaluate: @escaping (Any?, [String: Any]?) -> Bool) {
        self.evaluate = evaluate
    }

    package static func == (left: PredicateBlock, right: PredicateBlock) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An expression that is a closure; it is equal only to itself.
package final class ExpressionBlock: @unchecked Sendable, Hashable {
    /// Evaluates the closure with the evaluated object and the values of the arguments.
    package let evaluate: (Any?, [Any?]) -> Any?

    package init(_ evaluate: @escaping (Any?, [Any?]) -> Any?) {
        self.evaluate = evaluate
    }

    package static func == (left: ExpressionBlock, right: ExpressionBlock) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A sort order that is a closure; it is equal only to itself.
package final class ComparatorBlock: @unchecked Sendable, Hashable {
    /// Returns -1, 0 or 1 for two values, which are passed in the form in which apps receive them.
    package let compare: (Any, Any) -> Int

    package init(_ compare: @escaping (Any, Any) -> Int) {
        self.compare = compare
    }

    package static func == (left: ComparatorBlock, right: ComparatorBlock) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
