import CoreDataPredicates
public import Foundation

/// Predicates joined by and, or, not.
///
/// Prints, compares, copies and archives as on Apple's systems. Foundation's own class on Linux, which this
/// one inherits from, does so as a constant.
///
/// Unlike Apple's: a module without the plugin that imports Foundation, too, makes Foundation's class by this
/// name. That one evaluates, fetches and archives as it should, and a request's `predicate` is always of this
/// class.
open class NSCompoundPredicate: Foundation.NSCompoundPredicate {
    /// The whole tree at once, so that an object is looked at once.
    private let compiled = CompiledOnce()

    /// Returns whether the predicate holds for an object.
    ///
    /// Traps on what cannot be evaluated.
    open override func evaluate(with object: Any?) -> Bool { compiled.matches(object, nil, node) }

    /// Returns whether the predicate holds for an object, with values for its variables.
    ///
    /// Traps on what cannot be evaluated.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        compiled.matches(object, bindings, node)
    }

    /// The predicate in the format language.
    ///
    /// Unlike Apple's: compiles with a warning, as Foundation on Linux has it deprecated; `description` is
    /// the same text.
    open override var predicateFormat: String { NodePrinter.format(node) }
    /// The predicate in the format language.
    open override var description: String { predicateFormat }

    /// Returns an equal predicate.
    open override func copy(with zone: NSZone? = nil) -> Any {
        NSCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }

    /// Returns whether another compound predicate, also one that Foundation made, means the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Foundation.NSCompoundPredicate else { return false }
        return self === other || node.normalized == other.node.normalized
    }

    /// A hash of the predicate in its normal form.
    open override var hash: Int { node.normalized.hashValue }

    /// Names Apple's class in archives, for readers that do not know this module's.
    open override class func classFallbacksForKeyedArchiver() -> [String] { ["NSCompoundPredicate"] }
}

extension NSPredicate {
    /// The predicate as requests keep it: a compound one that Foundation made becomes one that prints,
    /// compares and copies.
    final var kept: NSPredicate {
        guard type(of: self) == Foundation.NSCompoundPredicate.self,
            let compound = self as? Foundation.NSCompoundPredicate
        else { return self }
        return NSCompoundPredicate(
            type: compound.compoundPredicateType, subpredicates: compound.subpredicates.map(\.kept))
    }
}
