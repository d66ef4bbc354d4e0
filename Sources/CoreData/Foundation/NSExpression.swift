import CoreDataPredicates
import CoreDataValues
public import Foundation

/// An expression of a predicate: a constant, a key path, a function, a subquery and so on.
///
/// Immutable, and safe to share between threads. Reading a part that the expression's type does not have
/// (`keyPath` of a constant) traps, where Apple's raises an exception.
///
/// Foundation's class of this name cannot be made on Linux, so every module that uses this one has an alias
/// for it.
open class NSExpression: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The expression as a tree.
    final let node: ExpressionNode

    init(node: ExpressionNode) {
        self.node = node
        super.init()
        AppleArchives.prepare()
    }

    /// Makes an expression that contains others; traps on a tree of more than 200 levels.
    private convenience init(composite node: ExpressionNode) {
        if node.levels > PredicateNode.deepest {
            programmerError(
                "NSExpression: the expression would have more than \(PredicateNode.deepest) levels, each a part of the "
                    + "next. Evaluate inner ones first, or give one function all arguments.")
        }
        self.init(node: node)
    }

    /// Returns the expression for a tree, as an instance of the class for its type.
    static func expression(for node: ExpressionNode) -> NSExpression {
        if case .fetch = node { return NSFetchRequestExpression(node: node) }
        return NSExpression(node: node)
    }

    // MARK: Making

    /// Makes an expression from Apple's format language, with its arguments in an array.
    ///
    /// Traps on a malformed format, saying where and what was expected.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(node: Self.parsed(expressionFormat, arguments))
    }

    /// Makes an expression from Apple's format language.
    ///
    /// Traps on a malformed format, saying where and what was expected.
    public convenience init(format expressionFormat: String, _ arguments: any CVarArg...) {
        self.init(node: Self.parsed(expressionFormat, arguments))
    }

    #if arch(x86_64)
    /// Makes an expression from Apple's format language, with the arguments of a C function or of
    /// `withVaList`.
    ///
    /// Traps on a malformed format. Available on x86-64 only.
    public convenience init(format expressionFormat: String, arguments argList: CVaListPointer) {
        do throws(PredicateSyntaxError) {
            let arguments = try VariadicArguments.values(argList, for: expressionFormat)
            self.init(node: Self.parsed(expressionFormat, arguments))
        } catch {
            programmerError("\(error), in the expression format \"\(expressionFormat)\"")
        }
    }
    #endif

    /// Makes an expression from a format that comes from a user.
    ///
    /// - Throws: An error that says where the format is malformed and what was expected; it has no Cocoa
    ///   code. Nesting deeper than 100 levels is malformed.
    ///
    /// Unlike Apple's: an addition; the other initializers trap on a malformed format.
    public convenience init(validating expressionFormat: String, arguments: [Any] = []) throws {
        self.init(
            node: try FormatParser.expression(
                expressionFormat, arguments: arguments.map { FormatArgument.node($0) }))
    }

    /// Parses a format.
    ///
    /// Traps on a malformed one.
    private static func parsed(_ format: String, _ arguments: [Any]) -> ExpressionNode {
        do {
            return try FormatParser.expression(format, arguments: arguments.map { FormatArgument.node($0) })
        } catch {
            programmerError("\(error), in the expression format \"\(format)\"")
        }
    }

    /// Makes an expression whose value is a constant; nil is a constant, too.
    public convenience init(forConstantValue obj: Any?) {
        self.init(node: .constant(ExpressionValue(boxing: obj)))
    }
    /// Makes an expression whose value is that of a variable, by its name without `$`.
    public convenience init(forVariable string: String) { self.init(node: .variable(string)) }
    /// Makes an expression whose value lies at a key path of the evaluated object.
    ///
    /// Unlike Apple's: functions such as `count:` and `sum:` accept a path through several to-many
    /// relationships. Its value is the set of the objects at its end; `sum:` adds the values of all of them.
    /// `@sum` and `@count` behind a to-one relationship that is nil are 0, in memory as in SQL.
    public convenience init(forKeyPath keyPath: String) { self.init(node: .keyPath(keyPath)) }
    /// Makes an expression whose value lies at a Swift key path of the evaluated object.
    ///
    /// Traps if the key path leads to no property of a model, or to one of a target without the plugin.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        self.init(node: .keyPath(KeyPathNames.name(of: keyPath)))
    }
    /// Makes an expression that calls a predefined function (`sum:`, `lowercase:`, `now`, …).
    ///
    /// - Parameters:
    ///   - name: The name of the function, with its colons.
    ///   - parameters: The arguments: expressions, or constants.
    ///
    /// Unlike Apple's: `mode:` is one value, not an array. `distanceToLocation:fromLocation:` takes any two
    /// objects that answer for `latitude` and `longitude`, and measures along a sphere.
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        self.init(
            composite: .function(
                operand: nil, name: name, arguments: parameters.map { FormatArgument.node($0) }))
    }
    /// Makes an expression that calls a method of an object, `FUNCTION(target, "name:", …)`.
    ///
    /// Unlike Apple's: in memory it calls the common methods of strings, numbers, dates, URLs and
    /// collections, the `@objc` methods of managed objects, migration policies and migration managers in
    /// modules with the plugin, and reads any key of the object. Evaluating another method traps, since none
    /// can be called by its name on Linux. A fetch tests such an expression in memory.
    public convenience init(
        forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
    ) {
        self.init(
            composite: .function(
                operand: target.node, name: name,
                arguments: (parameters ?? []).map { FormatArgument.node($0) }))
    }
    /// Makes an expression whose value is a list of the values of others: `{a, b}`.
    public convenience init(forAggregate subexpressions: [NSExpression]) {
        self.init(composite: .aggregate(subexpressions.map(\.node)))
    }
    /// Makes an expression whose value is the union of two collections.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(composite: .unionSet(left.node, right.node))
    }
    /// Makes an expression whose value is what two collections have in common.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(composite: .intersectSet(left.node, right.node))
    }
    /// Makes an expression whose value is the left collection without the members of the right one.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(composite: .minusSet(left.node, right.node))
    }
    /// Makes an expression whose value is the members of a collection that satisfy a predicate:
    /// `SUBQUERY(collection, $x, …)`.
    ///
    /// - Parameters:
    ///   - expression: The collection.
    ///   - variable: The name, without `$`, that stands for the member in the predicate.
    ///   - predicate: The test.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(
            composite: .subquery(collection: expression.node, variable: variable, predicate: predicate.node))
    }
    /// Makes an expression whose value is one of two, as a predicate decides: `TERNARY(predicate, a, b)`.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(composite: .conditional(predicate.node, trueExpression.node, falseExpression.node))
    }
    /// Makes an expression whose value a closure computes.
    ///
    /// - Parameters:
    ///   - block: The closure; it is given the evaluated object, the values of the arguments as constant
    ///     expressions, and nil for the context.
    ///   - arguments: The arguments, evaluated before the closure is called.
    ///
    /// Unlike Apple's: a fetch may use it, and then tests or sorts in memory. As on Apple's systems, it
    /// cannot be archived.
    public convenience init(
        block: @escaping (Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        let arguments = arguments ?? []
        let block = CallerIsolation.keeping(block)
        self.init(
            composite: .block(
                ExpressionBlock { object, values in
                    block(object, values.map { NSExpression(forConstantValue: $0) }, nil)
                }, arguments: arguments.map(\.node)))
    }
    /// Makes an expression without parts: the evaluated object, any key, or the constant nil.
    ///
    /// Traps for types that need parts.
    public convenience init(expressionType type: ExpressionType) {
        switch type {
        case .constantValue: self.init(node: .constant(.null))
        case .evaluatedObject: self.init(node: .evaluatedObject)
        case .anyKey: self.init(node: .anyKey)
        default:
            programmerError("an expression of type \(type) needs its parts: use the initializer for them")
        }
    }
    /// Returns the expression whose value is the evaluated object: `SELF`.
    open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(node: .evaluatedObject) }
    /// Returns the expression that stands for any key, in Spotlight's queries: `ANYKEY`.
    ///
    /// No store can evaluate it.
    open class func expressionForAnyKey() -> NSExpression { NSExpression(node: .anyKey) }

    // MARK: Reading

    /// The kind of an expression, which says what parts it has.
    public enum ExpressionType: UInt, Sendable {
        /// A constant: `constantValue`.
        case constantValue = 0
        /// The evaluated object itself.
        case evaluatedObject = 1
        /// A variable: `variable`.
        case variable = 2
        /// A key path of the evaluated object: `keyPath`.
        case keyPath = 3
        /// A call of a function or method: `function`, `operand`, `arguments`.
        case function = 4
        /// The union of two collections: `left`, `right`.
        case unionSet = 5
        /// The intersection of two collections: `left`, `right`.
        case intersectSet = 6
        /// The difference of two collections: `left`, `right`.
        case minusSet = 7
        /// The members of a collection that pass a test: `collection`, `variable`, `predicate`.
        case subquery = 13
        /// A list: `collection`.
        case aggregate = 14
        /// Any key.
        case anyKey = 15
        /// A closure: `expressionBlock`, `arguments`.
        case block = 19
        /// One of two values: `predicate`, `true`, `false`.
        case conditional = 20
        /// An `NSFetchRequestExpression`: `NSFetchRequestExpressionType` on Apple's systems, too.
        case fetchRequest = 50
    }

    /// The kind of this expression.
    ///
    /// A key path of anything but the evaluated object is a function, as in Apple's framework.
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

    /// Traps, since the expression has no such part.
    private func wrong(_ property: String) -> Never {
        programmerError("\(property) is not defined for an expression of type \(expressionType): \(self)")
    }

    /// The value of a constant; traps for other types.
    open var constantValue: Any? {
        guard case .constant(let value) = node else { wrong("constantValue") }
        return value.unboxed
    }

    /// The key path, its keys joined by dots; traps for types without one.
    open var keyPath: String {
        guard case .keyPath(_, let keys) = node else { wrong("keyPath") }
        return keys.joined(separator: ".")
    }

    /// The name of the function or method that is called, `valueForKeyPath:` for a key path of another
    /// expression.
    ///
    /// Traps for other types.
    open var function: String {
        switch node {
        case .function(_, let name, _): name
        case .keyPath: "valueForKeyPath:"
        default: wrong("function")
        }
    }

    /// The name of the variable, or of a subquery's variable, without `$`; traps for other types.
    open var variable: String {
        switch node {
        case .variable(let name): name
        case .subquery(_, let variable, _): variable
        default: wrong("variable")
        }
    }

    /// The object whose method is called, or whose key path this is; the constant nil for a predefined
    /// function.
    ///
    /// Traps for other types.
    open var operand: NSExpression {
        switch node {
        case .function(let operand, _, _):
            operand.map(NSExpression.init(node:)) ?? NSExpression(forConstantValue: nil)
        case .keyPath(let operand, _): NSExpression(node: operand)
        default: wrong("operand")
        }
    }

    /// The arguments of a function, a method or a closure; nil for other types.
    open var arguments: [NSExpression]? {
        switch node {
        case .function(_, _, let arguments): arguments.map(NSExpression.init(node:))
        case .block(_, let arguments): arguments.map(NSExpression.init(node:))
        case .keyPath(let operand, let keys) where operand != .evaluatedObject:
            [NSExpression(node: .keyPath(operand: .evaluatedObject, keys: keys))]
        default: nil
        }
    }

    /// The closure that computes the value; traps for other types.
    open var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any {
        guard case .block(let block, _) = node else { wrong("expressionBlock") }
        return { object, arguments, context in
            let values = arguments.map { $0.expressionValue(with: object, context: context) }
            return block.evaluate(object, values) ?? NSNull()
        }
    }

    /// The elements of a list, `[NSExpression]`, or the collection of a subquery, an `NSExpression`.
    ///
    /// Traps for other types.
    open var collection: Any {
        switch node {
        case .aggregate(let elements): elements.map(NSExpression.init(node:))
        case .subquery(let collection, _, _): NSExpression(node: collection)
        default: wrong("collection")
        }
    }

    /// The test of a subquery, or the condition of a conditional; traps for other types.
    open var predicate: NSPredicate {
        switch node {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _):
            NSPredicate.predicate(for: predicate)
        default: wrong("predicate")
        }
    }

    /// The left operand of an operation on sets; traps for other types.
    open var left: NSExpression {
        switch node {
        case .unionSet(let left, _), .intersectSet(let left, _), .minusSet(let left, _):
            NSExpression(node: left)
        default: wrong("left")
        }
    }

    /// The right operand of an operation on sets; traps for other types.
    open var right: NSExpression {
        switch node {
        case .unionSet(_, let right), .intersectSet(_, let right), .minusSet(_, let right):
            NSExpression(node: right)
        default: wrong("right")
        }
    }

    /// The value where the condition of a conditional holds; traps for other types.
    open var `true`: NSExpression {
        guard case .conditional(_, let expression, _) = node else { wrong("true") }
        return NSExpression(node: expression)
    }

    /// The value where the condition of a conditional does not hold; traps for other types.
    open var `false`: NSExpression {
        guard case .conditional(_, _, let expression) = node else { wrong("false") }
        return NSExpression(node: expression)
    }

    // MARK: Evaluating

    /// Returns the value of the expression for an object.
    ///
    /// - Parameters:
    ///   - object: The object that key paths begin at.
    ///   - context: The values of variables, by name without `$`.
    ///
    /// Traps on what cannot be evaluated: an unknown key, a variable without a value, a method that cannot be
    /// called.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        do throws(EvaluationError) {
            let variables = ExpressionValue.variables(context as? [String: Any])
            let object = ExpressionValue(boxing: object)
            return try ExpressionEvaluator(node).value(for: object, variables: variables).unboxed
        } catch {
            programmerError("\(error), in the expression \(self)")
        }
    }

    /// Does nothing: decoded expressions can be evaluated at once.
    open func allowEvaluation() {}

    /// Returns the expression itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }
    /// Returns whether another expression means the same, after both are brought into one form.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return self === other || node.normalized == other.node.normalized
    }
    /// A hash of the expression in its normal form.
    open override var hash: Int { node.normalized.hashValue }
    /// The expression in the format language.
    open override var description: String { NodePrinter.format(node) }

    // MARK: Archiving

    /// Decodes an expression from an archive made by this framework or Apple's.
    ///
    /// An archive that is damaged, or nested deeper than its limit, fails the coder with
    /// `CocoaError.coderReadCorrupt`.
    public required convenience init?(coder: NSCoder) {
        var coding = NodeCoding(coder: coder)
        coding.className = coding.expressionClassName ?? ""
        guard let node = NodeCoding.read("expression", from: coder, { coding.expressionNode }) else {
            return nil
        }
        self.init(node: node)
    }

    /// Encodes the expression under Apple's keys.
    ///
    /// A closure, or a constant that is an object, fails the coder with `CocoaError.coderInvalidValue`.
    open func encode(with coder: NSCoder) { NodeCoding.encode(archive, with: coder) }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Returns the fields that an archive holds.
    func archive() throws(UnarchivableNode) -> NodeArchive { try node.archive() }

    /// The class that archives name: one for each of Apple's private classes of expressions.
    open override var classForKeyedArchiver: AnyClass? {
        (try? archive()).flatMap { ArchivedExpression.forms[$0.className] } ?? super.classForKeyedArchiver
    }
}
