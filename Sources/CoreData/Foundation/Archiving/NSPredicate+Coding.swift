import CoreDataPredicates
public import Foundation

/// Archives of predicates hold Apple's keys. Secure coding is supported; a block predicate fails the coder.
extension PredicateFormatInitializable where Self: NSPredicate {
    public init?(coder: NSCoder) {
        AppleArchives.prepare()
        let read = NodeCoding.read("predicate", from: coder) {
            Self.node(from: coder).flatMap { NSPredicate.predicate(for: $0) as? Self }
        }
        guard let read else { return nil }
        self = read
    }

    public func encode(with coder: NSCoder) {
        NodeCoding.encode({ () throws(UnarchivableNode) in try node.archive() }, with: coder)
        if case .constant(let value) = node { coder.encode(value, forKey: ConstantPredicate.valueKey) }
    }

    public static var supportsSecureCoding: Bool { true }

    /// What a predicate is can be told from its fields, but for the constant ones of Apple's, which have
    /// none.
    private static func node(from coder: NSCoder) -> PredicateNode? {
        if coder.containsValue(forKey: ConstantPredicate.valueKey) {
            return .constant(coder.decodeBool(forKey: ConstantPredicate.valueKey))
        }
        if Self.self is TruePredicate.Type { return .constant(true) }
        if Self.self is FalsePredicate.Type { return .constant(false) }
        let isCompound = coder.containsValue(forKey: "NSCompoundPredicateType")
        return NodeCoding(
            coder: coder, className: isCompound ? "NSCompoundPredicate" : "NSComparisonPredicate"
        ).predicateNode
    }
}

extension NSPredicate: @retroactive NSCoding {}
extension NSPredicate: @retroactive NSSecureCoding {}

/// `TRUEPREDICATE` and `FALSEPREDICATE`, which are classes of their own in archives.
class ConstantPredicate: NSPredicate {
    static let valueKey = "value"

    override var description: String { NodePrinter.format(node) }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    /// Foundation's constants are equal by value, but each has a hash of its own.
    override var hash: Int { node.hashValue }

    static func predicate(_ value: Bool) -> ConstantPredicate {
        value ? TruePredicate(value: true) : FalsePredicate(value: false)
    }
}

final class TruePredicate: ConstantPredicate {
    override class func classFallbacksForKeyedArchiver() -> [String] { ["NSTruePredicate"] }
}

final class FalsePredicate: ConstantPredicate {
    override class func classFallbacksForKeyedArchiver() -> [String] { ["NSFalsePredicate"] }
}
