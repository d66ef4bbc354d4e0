import CoreDataPredicates
public import Foundation

/// A predicate that compares the values of two expressions.
///
/// Immutable. It is compiled to closures when it first tests an object; testing then takes no lock. Requests
/// pass it to the store as a tree, without evaluating it.
///
/// Unlike Apple's: in memory, `evaluate(with:)` on an object that is neither managed nor a dictionary sees
/// only its stored properties. What cannot be evaluated (an unknown key, a method that cannot be called)
/// traps.
open class NSComparisonPredicate: NSPredicate {
    /// The options of comparisons of strings: the `[cdn]` behind an operator of the format language.
    public struct Options: OptionSet, Sendable {
        /// Apple's bits for the options.
        public let rawValue: UInt
        /// Makes options of Apple's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// `[c]`: upper and lower case are equal.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: letters with and without accents are equal.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: the strings are compared by their code units; the other two options have no effect then.
        public static let normalized = Options(rawValue: 4)
    }

    /// Whether a left side with several values is compared as a whole.
    public enum Modifier: UInt, Sendable {
        /// The left side is compared as it is.
        case direct = 0
        /// The comparison has to hold for each value of the left side: `ALL`.
        case all = 1
        /// The comparison has to hold for one value of the left side: `ANY`.
        case any = 2
    }

    /// The comparison, with Apple's numbers.
    public enum Operator: UInt, Sendable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`; nil equals nil.
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// `MATCHES`: the right side is a regular expression for the whole string.
        case matches = 6
        /// `LIKE`: the right side is a pattern with `?` for one character and `*` for any number.
        case like = 7
        /// `BEGINSWITH`
        case beginsWith = 8
        /// `ENDSWITH`
        case endsWith = 9
        /// `IN`: the left side is a member of the right one, or a part of it if that is a string.
        case `in` = 10
        /// A method of the left side that is given the right one.
        case customSelector = 11
        /// `CONTAINS`: the right side is a member of the left one, or a part of it if that is a string.
        case contains = 99
        /// `BETWEEN`: the right side is a list of the two bounds, which are included.
        case between = 100
    }

    /// The comparison as a tree.
    final let comparison: ComparisonNode
    private final let compiled = CompiledOnce()

    /// Makes a comparison.
    ///
    /// - Parameters:
    ///   - lhs: The left side.
    ///   - rhs: The right side.
    ///   - modifier: Whether it holds for the left side as a whole, for all of its values or for any.
    ///   - type: The comparison.
    ///   - options: How strings are compared.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier,
        type: Operator,
        options: Options = []
    ) {
        comparison = ComparisonNode(
            lhs.node, ComparisonOperator(rawValue: type.rawValue) ?? .equalTo, rhs.node,
            modifier: ComparisonModifier(rawValue: modifier.rawValue) ?? .direct,
            options: ComparisonOptions(rawValue: options.rawValue))
        super.init(block: Self.unused)
    }

    /// Makes a comparison by a method of the left side.
    ///
    /// The predicate keeps the selector, but nothing on Linux can call a method by its name: evaluating the
    /// predicate traps, fetching with it throws 134060 (`NSCoreDataError`).
    ///
    /// Unlike Apple's: `matchesFullText:` is no method but a full-text search, which works in memory and in
    /// every store.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector selector: Selector
    ) {
        comparison = ComparisonNode(lhs.node, .customSelector, rhs.node, selector: selector.description)
        super.init(block: Self.unused)
    }

    init(_ comparison: ComparisonNode) {
        self.comparison = comparison
        super.init(block: Self.unused)
    }

    /// A closure for Foundation's initializer that is never called.
    ///
    /// Foundation's constant predicates would equal each other if their values did.
    private static let unused: @Sendable (Any?, [String: Any]?) -> Bool = { _, _ in false }

    /// The comparison.
    open var predicateOperatorType: Operator { Operator(rawValue: comparison.operator.rawValue) ?? .equalTo }
    /// Whether the comparison holds for the left side as a whole, for all of its values or for any.
    open var comparisonPredicateModifier: Modifier {
        Modifier(rawValue: comparison.modifier.rawValue) ?? .direct
    }
    /// The left side.
    open var leftExpression: NSExpression { .expression(for: comparison.left) }
    /// The right side.
    open var rightExpression: NSExpression { .expression(for: comparison.right) }
    /// The options by which strings are compared.
    open var options: Options { Options(rawValue: comparison.options.rawValue) }

    /// The selector of a comparison by a method; nil for others.
    open var customSelector: Selector? { comparison.selector.map { Selector($0) } }

    /// Returns whether the comparison holds for an object.
    ///
    /// Traps on what cannot be evaluated.
    open override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }
    /// Returns whether the comparison holds for an object, with values for its variables.
    ///
    /// Traps on what cannot be evaluated.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        compiled.matches(object, bindings, .comparison(comparison))
    }

    /// The comparison in the format language.
    ///
    /// Unlike Apple's: compiles with a warning, as Foundation on Linux has it deprecated; `description` is
    /// the same text. A constant `NSNull` prints as `nil`, data as its bytes.
    open override var predicateFormat: String { NodePrinter.format(.comparison(comparison)) }
    /// The comparison in the format language.
    open override var description: String { NodePrinter.format(.comparison(comparison)) }
    /// Returns the predicate itself, which is immutable.
    open override func copy(with zone: NSZone? = nil) -> Any { self }
    /// Returns whether another comparison means the same, after both are brought into one form.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSComparisonPredicate else { return false }
        return self === other || node.normalized == other.node.normalized
    }
    /// A hash of the comparison in its normal form.
    open override var hash: Int { node.normalized.hashValue }
    /// Names Apple's class in archives, for readers that do not have this module's class.
    open override class func classFallbacksForKeyedArchiver() -> [String] { ["NSComparisonPredicate"] }
}
