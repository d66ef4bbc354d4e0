import CoreDataPredicates
public import Foundation

/// Predicates joined by and, or, not. Prints, compares and copies as it should, where Foundation's own, which it inherits
/// from, does so as a constant on Linux.
open class NSCompoundPredicate: Foundation.NSCompoundPredicate {
    /// The whole tree at once, so that an object is looked at once.
    private let compiled = CompiledOnce()

    open override func evaluate(with object: Any?) -> Bool { compiled.matches(object, nil, node) }

    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        compiled.matches(object, bindings, node)
    }

    open override var predicateFormat: String { NodePrinter.format(node) }
    open override var description: String { predicateFormat }

    open override func copy(with zone: NSZone? = nil) -> Any {
        NSCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Foundation.NSCompoundPredicate else { return false }
        return self === other || node.normalized == other.node.normalized
    }

    open override var hash: Int { node.normalized.hashValue }

    open override class func classFallbacksForKeyedArchiver() -> [String] { ["NSCompoundPredicate"] }
}

extension NSPredicate {
    /// As requests keep it: a compound predicate that Foundation made becomes one that prints, compares and copies.
    final var kept: NSPredicate {
        guard type(of: self) == Foundation.NSCompoundPredicate.self,
            let compound = self as? Foundation.NSCompoundPredicate
        else { return self }
        return NSCompoundPredicate(
            type: compound.compoundPredicateType, subpredicates: compound.subpredicates.map(\.kept))
    }
}
