import CoreDataPredicates
import Foundation

/// A compound predicate as Apple's is. Foundation's own prints, compares and copies as a constant on Linux.
final class FormatCompoundPredicate: NSCompoundPredicate {
    /// The whole tree at once, so that an object is looked at once.
    private let compiled = CompiledOnce()

    override func evaluate(with object: Any?) -> Bool { compiled.matches(object, nil, node) }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        compiled.matches(object, bindings, node)
    }

    override var predicateFormat: String { NodePrinter.format(node) }
    override var description: String { predicateFormat }

    override func copy(with zone: NSZone? = nil) -> Any {
        FormatCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSCompoundPredicate else { return false }
        return self === other || node.normalized == other.node.normalized
    }

    override var hash: Int { node.normalized.hashValue }

    override class func classFallbacksForKeyedArchiver() -> [String] { ["NSCompoundPredicate"] }
}

extension NSPredicate {
    /// As requests keep it: a compound predicate that Foundation made becomes one that prints, compares and copies.
    final var kept: NSPredicate {
        guard type(of: self) == NSCompoundPredicate.self, let compound = self as? NSCompoundPredicate else {
            return self
        }
        return FormatCompoundPredicate(
            type: compound.compoundPredicateType, subpredicates: compound.subpredicates.map(\.kept))
    }
}
