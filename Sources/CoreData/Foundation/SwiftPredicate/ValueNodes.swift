import CoreDataPredicates
import CoreDataValues
import Foundation

extension PredicateExpressions.Variable: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        guard let meaning = translator.meaning(bound: key) else {
            throw translator.untranslatable(self, "no enclosing closure binds the variable")
        }
        return meaning
    }
}

extension PredicateExpressions.Value: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) -> Meaning { Meaning(capturing: value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) -> Meaning { .nil }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let root = try translator.meaning(of: root)
        if let property = try collectionProperty(of: root, translator) { return property }
        if case .expression(.constant(let value)) = root.form, let object = value.unboxed as? Root.Output {
            return Meaning(capturing: object[keyPath: keyPath])
        }
        guard let name = KeyPathNames.knownName(of: keyPath) else {
            throw translator.untranslatable(self, KeyPathNames.reason(of: keyPath))
        }
        // A key path without a name leads to the raw value, in which form the value itself is stored.
        if name.isEmpty { return root }
        let keys = name.split(separator: ".").map(String.init)
        let path = try root.expression(of: self).appending(keys)
        if isKeptWhole {
            let reason = "\(name) is a collection that is stored as a whole, into which no store can look"
            return Meaning(.unreadable(reason), presence: .all([root.presence, presence(of: path)]))
        }
        return Meaning(path, of: Output.self, presence: .all([root.presence, presence(of: path)]))
    }

    /// Whether the path leads to a collection of values of a model that is no managed object.
    private var isKeptWhole: Bool {
        let type: Any.Type = (Output.self as? any OptionalType.Type)?.wrappedType ?? Output.self
        guard type is any Collection.Type, !(type is any StringProtocol.Type), type != Data.self else {
            return false
        }
        let holdsObjects = (type as? any ToManyCollection.Type)?.holdsObjects ?? false
        return !holdsObjects && !(Root.Output.self is NSObject.Type)
    }

    /// Returns the condition under which a path has a value.
    ///
    /// A to-many relationship always has a value: it is empty, not nil.
    private func presence(of path: ExpressionNode) -> PredicateNode {
        guard let optional = Output.self as? any OptionalType.Type,
            !((optional.wrappedType as? any ToManyCollection.Type)?.holdsObjects ?? false)
        else { return .always }
        return .isNotNil(path)
    }

    /// Returns `count`, `isEmpty`, `first` or `last` of a collection or string.
    private func collectionProperty(
        of root: Meaning, _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> Meaning? {
        switch commonProperty {
        case .collectionCount: return Meaning(try count(of: root))
        case .collectionIsEmpty: return Meaning(try emptiness(of: root, translator))
        case .collectionFirst: return try element("FIRST", of: root, translator)
        case .bidirectionalCollectionLast: return try element("LAST", of: root, translator)
        case nil: return nil
        @unknown default: return nil
        }
    }

    private var commonProperty: CommonKeyPathKind? {
        if let kind { return kind }
        let counts: [AnyKeyPath] = [\NSSet.count, \NSOrderedSet.count, \NSArray.count]
        return counts.contains(keyPath) ? .collectionCount : nil
    }

    private var isOfText: Bool { Root.Output.self is any StringProtocol.Type }

    private func count(of root: Meaning) throws(PredicateTranslationError) -> ExpressionNode {
        if case .list(let elements) = root.form {
            let one = ExpressionNode.constant(.value(.integer(1)))
            let zero = ExpressionNode.constant(.value(.integer(0)))
            return elements.map { .choice($0.isIncluded, one, zero) }.sum ?? zero
        }
        if case .constant(.collection(let elements, _))? = try? root.expression(of: self) {
            return .constant(.value(.integer(Int64(elements.count))))
        }
        let collection = try root.expression(of: self)
        return isOfText
            ? .function(operand: nil, name: "length:", arguments: [collection])
            : collection.appending("@count")
    }

    private func emptiness(
        of root: Meaning, _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> PredicateNode {
        if case .list(let elements) = root.form {
            return PredicateNode.any(elements.map(\.isIncluded)).negated
        }
        if isOfText {
            let empty = ExpressionNode.constant(.value(.string("")))
            return .comparison(ComparisonNode(try root.expression(of: self), .equalTo, empty))
        }
        let zero = ExpressionNode.constant(.value(.integer(0)))
        return .comparison(ComparisonNode(try count(of: root), .equalTo, zero))
    }

    private func element(
        _ position: String, of root: Meaning, _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> Meaning {
        if isOfText { throw translator.untranslatable(self, "predicates cannot read single characters") }
        let index = ExpressionNode.function(operand: nil, name: position, arguments: [])
        let element = ExpressionNode.function(
            operand: nil, name: "objectFrom:withIndex:", arguments: [try root.expression(of: self), index])
        return Meaning(element, of: Output.self, presence: .isNotNil(element))
    }
}

extension [ExpressionNode] {
    fileprivate var sum: ExpressionNode? {
        guard let first else { return nil }
        return dropFirst().reduce(first) { .function(operand: nil, name: "add:to:", arguments: [$0, $1]) }
    }
}

/// A type of to-many relationships.
protocol ToManyCollection {
    static var holdsObjects: Bool { get }
}

extension Set: ToManyCollection {
    static var holdsObjects: Bool { Element.self is NSManagedObject.Type }
}

extension Array: ToManyCollection {
    /// Other products have arrays of model classes of their own, which are no subclasses of `NSObject`.
    static var holdsObjects: Bool { Element.self is AnyClass && !(Element.self is NSObject.Type) }
}

extension NSSet: ToManyCollection {
    static var holdsObjects: Bool { true }
}

extension NSOrderedSet: ToManyCollection {
    static var holdsObjects: Bool { true }
}
