import CoreDataPredicates
public import Foundation

/// Predicates joined by and, or, not.
///
/// It is printed, compared, copied and archived as on Apple's systems. Foundation's class on Linux, from
/// which it inherits, treats the predicate as a constant in these operations.
///
/// Long chains of compounds of one type, each a part of the next, become one compound of many terms, so that
/// code that adds one term after the other makes no deep tree.
///
/// Unlike Apple's: a tree of more than 200 levels traps. In a module without the plugin that also imports
/// Foundation, this name means Foundation's class. An object of that class is evaluated, fetched with and
/// archived correctly, and a request's `predicate` is always of this class.
open class NSCompoundPredicate: Foundation.NSCompoundPredicate {
    /// The whole tree, compiled at once, so that an object is boxed once per test.
    private let compiled = CompiledOnce()
    /// The number of levels of the tree.
    fileprivate final let height: Int
    /// The number of compounds of this type from this one down, each a part of the one before.
    private final let chain: Int

    private static let longestChain = 20

    /// Traps on a tree of more than 200 levels.
    public override init(type: LogicalType, subpredicates: [NSPredicate]) {
        let isLong = Self.chain(type, subpredicates) > Self.longestChain
        let parts = isLong ? Self.merged(type, subpredicates) : subpredicates
        chain = Self.chain(type, parts)
        height = 1 + (parts.lazy.map(\.levels).max() ?? 0)
        if height > PredicateNode.deepest { Self.stop() }
        super.init(type: type, subpredicates: parts)
    }

    private static func chain(_ type: LogicalType, _ parts: [NSPredicate]) -> Int {
        1 + (parts.lazy.map { compound($0, type)?.chain ?? 0 }.max() ?? 0)
    }

    private static func compound(_ predicate: NSPredicate, _ type: LogicalType) -> NSCompoundPredicate? {
        (predicate as? NSCompoundPredicate).flatMap { $0.compoundPredicateType == type ? $0 : nil }
    }

    /// Returns the terms of all compounds of the type, and drops pairs of negations.
    private static func merged(_ type: LogicalType, _ parts: [NSPredicate]) -> [NSPredicate] {
        guard type != .not else {
            var parts = parts
            while parts.count == 1, let outer = compound(parts[0], .not), outer.subpredicates.count == 1,
                let inner = compound(outer.subpredicates[0], .not)
            {
                parts = inner.subpredicates
            }
            return parts
        }
        var result: [NSPredicate] = []
        var open: [NSPredicate] = parts.reversed()
        while let part = open.popLast() {
            if let compound = compound(part, type), !compound.subpredicates.isEmpty {
                open.append(contentsOf: compound.subpredicates.reversed())
            } else {
                result.append(part)
            }
        }
        return result
    }

    fileprivate static func stop() -> Never {
        programmerError(
            "NSCompoundPredicate: the predicate would have more than \(PredicateNode.deepest) levels, each a part of the "
                + "next. Put the terms of one level into one compound predicate.")
    }

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

    /// Names Apple's class in archives, for readers that do not have this module's class.
    open override class func classFallbacksForKeyedArchiver() -> [String] { ["NSCompoundPredicate"] }
}

extension NSPredicate {
    /// The predicate as requests keep it: a compound one of Foundation's class becomes one of this class.
    final var kept: NSPredicate {
        guard let compound = foundationCompound else { return self }
        if levels > PredicateNode.deepest { NSCompoundPredicate.stop() }
        return compound.rebuilt
    }

    /// The number of levels of the tree, or one that is larger than allowed.
    ///
    /// Compounds that Foundation made, whose depth is not known, are walked level by level, without
    /// recursion.
    final var levels: Int {
        if let compound = self as? NSCompoundPredicate { return compound.height }
        guard foundationCompound != nil else { return node.levels }
        var levels = 0
        var parts: [NSPredicate] = [self]
        for depth in 0...PredicateNode.deepest where !parts.isEmpty {
            var inner: [NSPredicate] = []
            for part in parts {
                let compound = part.foundationCompound
                levels = max(levels, depth + (compound == nil ? part.levels : 1))
                inner += compound?.subpredicates ?? []
            }
            parts = inner
        }
        return levels
    }

    private final var foundationCompound: Foundation.NSCompoundPredicate? {
        guard type(of: self) == Foundation.NSCompoundPredicate.self else { return nil }
        return self as? Foundation.NSCompoundPredicate
    }

    private final var rebuilt: NSPredicate {
        guard let compound = foundationCompound else { return self }
        return NSCompoundPredicate(
            type: compound.compoundPredicateType, subpredicates: compound.subpredicates.map(\.rebuilt))
    }
}
