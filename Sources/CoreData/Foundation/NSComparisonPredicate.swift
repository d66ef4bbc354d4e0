import CoreDataPredicates
public import Foundation

/// A predicate that is not a compound one: a comparison, or what a format made of constants and closures.
open class NSComparisonPredicate: NSPredicate {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let caseInsensitive = Options(rawValue: 1)
        public static let diacriticInsensitive = Options(rawValue: 2)
        public static let normalized = Options(rawValue: 4)
    }

    public enum Modifier: UInt, Sendable {
        case direct = 0
        case all = 1
        case any = 2
    }

    public enum Operator: UInt, Sendable {
        case lessThan = 0
        case lessThanOrEqualTo = 1
        case greaterThan = 2
        case greaterThanOrEqualTo = 3
        case equalTo = 4
        case notEqualTo = 5
        case matches = 6
        case like = 7
        case beginsWith = 8
        case endsWith = 9
        case `in` = 10
        case customSelector = 11
        case contains = 99
        case between = 100
    }

    final let comparison: ComparisonNode
    private final let compiled = CompiledOnce()

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

    /// A comparison by a method of the left side. It keeps its selector, but nothing on Linux can call one:
    /// evaluating it traps, fetching with it throws. `matchesFullText:` is no method but a full-text search.
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

    /// Never called. Foundation would take a constant for an equal of one with the same value.
    private static let unused: @Sendable (Any?, [String: Any]?) -> Bool = { _, _ in false }

    open var predicateOperatorType: Operator { Operator(rawValue: comparison.operator.rawValue) ?? .equalTo }
    open var comparisonPredicateModifier: Modifier {
        Modifier(rawValue: comparison.modifier.rawValue) ?? .direct
    }
    open var leftExpression: NSExpression { .expression(for: comparison.left) }
    open var rightExpression: NSExpression { .expression(for: comparison.right) }
    open var options: Options { Options(rawValue: comparison.options.rawValue) }

    open var customSelector: Selector? { comparison.selector.map { Selector($0) } }

    open override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        compiled.matches(object, bindings, .comparison(comparison))
    }

    open override var predicateFormat: String { NodePrinter.format(.comparison(comparison)) }
    open override var description: String { NodePrinter.format(.comparison(comparison)) }
    open override func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSComparisonPredicate else { return false }
        return self === other || node.normalized == other.node.normalized
    }
    open override var hash: Int { node.normalized.hashValue }
    open override class func classFallbacksForKeyedArchiver() -> [String] { ["NSComparisonPredicate"] }
}
