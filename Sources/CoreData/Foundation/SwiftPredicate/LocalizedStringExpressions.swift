public import Foundation

// The `#Predicate` macro writes these nodes, which Foundation has on Apple's systems only.

extension PredicateExpressions {
    /// The node of `a.localizedStandardContains(b)`: whether a text contains another by the rules of the
    /// current locale, regardless of case and accents.
    ///
    /// Only code that `#Predicate` writes makes it.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression, CustomStringConvertible
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The text that is searched.
        public let root: Root
        /// The text that is searched for.
        public let other: Other

        /// Makes the node.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns the value for the given bindings.
        ///
        /// - Throws: The error of evaluating an operand.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(other.evaluate(bindings))
        }

        /// The node and its operands.
        public var description: String { "StringLocalizedStandardContains(root: \(root), other: \(other))" }
    }

    /// The node of `a.caseInsensitiveCompare(b)`.
    ///
    /// Only code that `#Predicate` writes makes it.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression, CustomStringConvertible
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The text on the left.
        public let root: Root
        /// The text on the right.
        public let other: Other

        /// Makes the node.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns the value for the given bindings.
        ///
        /// - Throws: The error of evaluating an operand.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
        }

        /// The node and its operands.
        public var description: String { "StringCaseInsensitiveCompare(root: \(root), other: \(other))" }
    }

    /// The node of `a.localizedCompare(b)`.
    ///
    /// Only code that `#Predicate` writes makes it.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression, CustomStringConvertible
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The text on the left.
        public let root: Root
        /// The text on the right.
        public let other: Other

        /// Makes the node.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Returns the value for the given bindings.
        ///
        /// - Throws: The error of evaluating an operand.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).localizedCompare(other.evaluate(bindings))
        }

        /// The node and its operands.
        public var description: String { "StringLocalizedCompare(root: \(root), other: \(other))" }
    }

    /// Makes the node of a localized search, for code that `#Predicate` writes.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// Makes the node of a comparison that ignores case, for code that `#Predicate` writes.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// Makes the node of a localized comparison, for code that `#Predicate` writes.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable
where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
