import CoreDataPredicates
import CoreDataValues
public import Foundation

/// An expression of a predicate. Immutable; Foundation's class of this name cannot be made on Linux, so every module
/// that uses this one has an alias for it.
open class NSExpression: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    final let node: ExpressionNode

    init(node: ExpressionNode) {
        self.node = node
        super.init()
        AppleArchives.prepare()
    }

    static func expression(for node: ExpressionNode) -> NSExpression {
        if case .fetch = node { return NSFetchRequestExpression(node: node) }
        return NSExpression(node: node)
    }

    // MARK: Making

    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(node: Self.parsed(expressionFormat, arguments))
    }

    public convenience init(format expressionFormat: String, _ arguments: any CVarArg...) {
        self.init(node: Self.parsed(expressionFormat, arguments))
    }

    #if arch(x86_64)
    public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
        do throws(PredicateSyntaxError) {
            let arguments = try VariadicArguments.values(argList, for: expressionFormat)
            self.init(node: Self.parsed(expressionFormat, arguments))
        } catch {
            programmerError("\(error), in the expression format \"\(expressionFormat)\"")
        }
    }
    #endif

    /// An expression from a format that comes from a user: throws where the other initializers trap.
    public convenience init(validating expressionFormat: String, arguments: [Any] = []) throws {
        self.init(
            node: try FormatParser.expression(
                expressionFormat, arguments: arguments.map { FormatArgument.node($0) }))
    }

    private static func parsed(_ format: String, _ arguments: [Any]) -> ExpressionNode {
        do {
            return try FormatParser.expression(format, arguments: arguments.map { FormatArgument.node($0) })
        } catch {
            programmerError("\(error), in the expression format \"\(format)\"")
        }
    }

    public convenience init(forConstantValue obj: Any?) {
        self.init(node: .constant(ExpressionValue(boxing: obj)))
    }
    public convenience init(forVariable string: String) { self.init(node: .variable(string)) }
    public convenience init(forKeyPath keyPath: String) { self.init(node: .keyPath(keyPath)) }
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(node: .keyPath(KeyPathNames.name(of: keyPath)))
    }
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        self.init(
            node: .function(operand: nil, name: name, arguments: parameters.map { FormatArgument.node($0) }))
    }
    public convenience init(
        forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
    ) {
        self.init(
            node: .function(
                operand: target.node, name: name,
                arguments: (parameters ?? []).map { FormatArgument.node($0) }))
    }
    public convenience init(forAggregate subexpressions: [NSExpression]) {
        self.init(node: .aggregate(subexpressions.map(\.node)))
    }
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(node: .unionSet(left.node, right.node))
    }
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(node: .intersectSet(left.node, right.node))
    }
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(node: .minusSet(left.node, right.node))
    }
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(node: .subquery(collection: expression.node, variable: variable, predicate: predicate.node))
    }
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(node: .conditional(predicate.node, trueExpression.node, falseExpression.node))
    }
    public convenience init(
        block: @escaping (Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        let arguments = arguments ?? []
        let block = CallerIsolation.keeping(block)
        self.init(
            node: .block(
                ExpressionBlock { object, values in
                    block(object, values.map { NSExpression(forConstantValue: $0) }, nil)
                }, arguments: arguments.map(\.node)))
    }
    /// An expression that its type alone defines: the evaluated object, any key, or the constant nil.
    public convenience init(expressionType type: ExpressionType) {
        switch type {
        case .constantValue: self.init(node: .constant(.null))
        case .evaluatedObject: self.init(node: .evaluatedObject)
        case .anyKey: self.init(node: .anyKey)
        default:
            programmerError("an expression of type \(type) needs its parts: use the initializer for them")
        }
    }
    open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(node: .evaluatedObject) }
    open class func expressionForAnyKey() -> NSExpression { NSExpression(node: .anyKey) }

    // MARK: Reading

    public enum ExpressionType: UInt, Sendable {
        case constantValue = 0
        case evaluatedObject = 1
        case variable = 2
        case keyPath = 3
        case function = 4
        case unionSet = 5
        case intersectSet = 6
        case minusSet = 7
        case subquery = 13
        case aggregate = 14
        case anyKey = 15
        case block = 19
        case conditional = 20
        /// An `NSFetchRequestExpression`; `NSFetchRequestExpressionType` on Apple's systems too.
        case fetchRequest = 50
    }

    open var expressionType: ExpressionType {
        switch node {
        case .constant: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath(.evaluatedObject, _): .keyPath
        case .keyPath, .function: .function
        case .aggregate: .aggregate
        case .subquery: .subquery
        case .unionSet: .unionSet
        case .intersectSet: .intersectSet
        case .minusSet: .minusSet
        case .conditional: .conditional
        case .fetch: .fetchRequest
        case .anyKey: .anyKey
        case .block: .block
        }
    }

    private func wrong(_ property: String) -> Never {
        programmerError("\(property) is not defined for an expression of type \(expressionType): \(self)")
    }

    open var constantValue: Any? {
        guard case .constant(let value) = node else { wrong("constantValue") }
        return value.unboxed
    }

    open var keyPath: String {
        guard case .keyPath(_, let keys) = node else { wrong("keyPath") }
        return keys.joined(separator: ".")
    }

    open var function: String {
        switch node {
        case .function(_, let name, _): name
        case .keyPath: "valueForKeyPath:"
        default: wrong("function")
        }
    }

    open var variable: String {
        switch node {
        case .variable(let name): name
        case .subquery(_, let variable, _): variable
        default: wrong("variable")
        }
    }

    open var operand: NSExpression {
        switch node {
        case .function(let operand, _, _):
            operand.map(NSExpression.init(node:)) ?? NSExpression(forConstantValue: nil)
        case .keyPath(let operand, _): NSExpression(node: operand)
        default: wrong("operand")
        }
    }

    open var arguments: [NSExpression]? {
        switch node {
        case .function(_, _, let arguments): arguments.map(NSExpression.init(node:))
        case .block(_, let arguments): arguments.map(NSExpression.init(node:))
        case .keyPath(let operand, let keys) where operand != .evaluatedObject:
            [NSExpression(node: .keyPath(operand: .evaluatedObject, keys: keys))]
        default: nil
        }
    }

    open var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any {
        guard case .block(let block, _) = node else { wrong("expressionBlock") }
        return { object, arguments, context in
            let values = arguments.map { $0.expressionValue(with: object, context: context) }
            return block.evaluate(object, values) ?? NSNull()
        }
    }

    open var collection: Any {
        switch node {
        case .aggregate(let elements): elements.map(NSExpression.init(node:))
        case .subquery(let collection, _, _): NSExpression(node: collection)
        default: wrong("collection")
        }
    }

    open var predicate: NSPredicate {
        switch node {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _):
            NSPredicate.predicate(for: predicate)
        default: wrong("predicate")
        }
    }

    open var left: NSExpression {
        switch node {
        case .unionSet(let left, _), .intersectSet(let left, _), .minusSet(let left, _):
            NSExpression(node: left)
        default: wrong("left")
        }
    }

    open var right: NSExpression {
        switch node {
        case .unionSet(_, let right), .intersectSet(_, let right), .minusSet(_, let right):
            NSExpression(node: right)
        default: wrong("right")
        }
    }

    open var `true`: NSExpression {
        guard case .conditional(_, let expression, _) = node else { wrong("true") }
        return NSExpression(node: expression)
    }

    open var `false`: NSExpression {
        guard case .conditional(_, _, let expression) = node else { wrong("false") }
        return NSExpression(node: expression)
    }

    // MARK: Evaluating

    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        do throws(EvaluationError) {
            let variables = ExpressionValue.variables(context as? [String: Any])
            let object = ExpressionValue(boxing: object)
            return try ExpressionEvaluator(node).value(for: object, variables: variables).unboxed
        } catch {
            programmerError("\(error), in the expression \(self)")
        }
    }

    open func allowEvaluation() {}

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return self === other || node.normalized == other.node.normalized
    }
    open override var hash: Int { node.normalized.hashValue }
    open override var description: String { NodePrinter.format(node) }

    // MARK: Archiving

    /// Archives hold Apple's keys. A closure, or a constant that is an object, fails the coder.
    public required convenience init?(coder: NSCoder) {
        var coding = NodeCoding(coder: coder)
        coding.className = coding.expressionClassName ?? ""
        guard let node = NodeCoding.read("expression", from: coder, { coding.expressionNode }) else {
            return nil
        }
        self.init(node: node)
    }

    open func encode(with coder: NSCoder) { NodeCoding.encode(archive, with: coder) }

    public static var supportsSecureCoding: Bool { true }

    func archive() throws(UnarchivableNode) -> NodeArchive { try node.archive() }

    open override var classForKeyedArchiver: AnyClass? {
        (try? archive()).flatMap { ArchivedExpression.forms[$0.className] } ?? super.classForKeyedArchiver
    }
}
