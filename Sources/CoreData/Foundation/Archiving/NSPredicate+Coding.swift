import CoreDataPredicates
public import Foundation

extension PredicateFormatInitializable where Self: NSPredicate {
    /// Decodes a predicate from an archive made by this framework or Apple's.
    ///
    /// A damaged one fails the coder with `CocoaError.coderReadCorrupt`.
    ///
    /// Unlike Apple's: inside other archives Apple's class names are understood once the process has made a
    /// predicate, expression or coordinator, and the program ends if Foundation's unarchiver finds the
    /// archive damaged. `NSKeyedUnarchiver.unarchivedObject(ofClass:from:)` reads any archive.
    public init?(coder: NSCoder) {
        AppleArchives.prepare()
        let read = NodeCoding.read("predicate", from: coder) {
            Self.node(from: coder).flatMap { NSPredicate.predicate(for: $0) as? Self }
        }
        guard let read else { return nil }
        self = read
    }

    /// Encodes the predicate under Apple's keys.
    ///
    /// A closure, or a constant that is an object, fails the coder with `CocoaError.coderInvalidValue`.
    public func encode(with coder: NSCoder) {
        NodeCoding.encode({ () throws(UnarchivableNode) in try node.archive() }, with: coder)
        if case .constant(let value) = node { coder.encode(value, forKey: ConstantPredicate.valueKey) }
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Returns the predicate in a coder.
    ///
    /// The archive's fields tell the kind of predicate; Apple's constant predicates have none.
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

/// A constant, `TRUEPREDICATE` or `FALSEPREDICATE`, each of which has a class of its own in archives.
class ConstantPredicate: NSPredicate {
    static let valueKey = "value"

    override var description: String { NodePrinter.format(node) }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    /// A hash by value: Foundation's constants are equal by value, but each has a hash of its own.
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
