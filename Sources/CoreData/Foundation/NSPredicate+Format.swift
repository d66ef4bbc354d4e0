import CoreDataPredicates
public import Foundation

/// A protocol to which only `NSPredicate` conforms, so that an initializer can return a subclass.
///
/// Swift allows that only in a protocol's extension.
public protocol PredicateFormatInitializable {}

extension NSPredicate: PredicateFormatInitializable {}

extension PredicateFormatInitializable {
    /// Makes a predicate from Apple's format language.
    ///
    /// Traps on a malformed format, saying where and what was expected.
    ///
    /// A format nests at most 100 levels deep; chains of `AND` and `OR` have no limit.
    ///
    /// Unlike Apple's: a key argument alone, `%K`, is a condition: `NSPredicate(format: "%K", "hidden")` is
    /// `hidden == 1`.
    public init(format predicateFormat: String, _ arguments: any CVarArg...) {
        self = NSPredicate.parsed(predicateFormat, arguments) as! Self
    }

    /// Makes a predicate from Apple's format language, with its arguments in an array.
    ///
    /// Traps on a malformed format.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = NSPredicate.parsed(predicateFormat, arguments ?? []) as! Self
    }

    #if arch(x86_64)
    /// Makes a predicate from Apple's format language, with the arguments of a C function or of `withVaList`.
    ///
    /// Traps on a malformed format. Available on x86-64 only.
    public init(format predicateFormat: String, arguments argList: CVaListPointer) {
        do throws(PredicateSyntaxError) {
            let arguments = try VariadicArguments.values(argList, for: predicateFormat)
            self = NSPredicate.parsed(predicateFormat, arguments) as! Self
        } catch {
            programmerError("\(error), in the predicate format \"\(predicateFormat)\"")
        }
    }
    #endif

    /// Makes a predicate from a format that comes from a user.
    ///
    /// - Throws: An error that says where the format is malformed and what was expected; it has no Cocoa
    ///   code.
    ///
    /// Unlike Apple's: an addition; the other initializers trap on a malformed format.
    public init(validating predicateFormat: String, arguments: [Any] = []) throws {
        let node = try FormatParser.predicate(
            predicateFormat, arguments: arguments.map { FormatArgument.node($0) })
        self = NSPredicate.predicate(for: node) as! Self
    }
}

extension NSPredicate {
    /// Parses a format.
    ///
    /// Traps on a malformed one.
    static func parsed(_ format: String, _ arguments: [Any]) -> NSPredicate {
        do {
            return predicate(
                for: try FormatParser.predicate(format, arguments: arguments.map { FormatArgument.node($0) }))
        } catch {
            programmerError("\(error), in the predicate format \"\(format)\"")
        }
    }

    /// Returns the predicate for a tree, as an instance of the class for its kind.
    static func predicate(for node: PredicateNode) -> NSPredicate {
        AppleArchives.prepare()
        return switch node {
        case .constant(let value): ConstantPredicate.predicate(value)
        case .comparison(let comparison): NSComparisonPredicate(comparison)
        case .compound(let logic, let operands):
            NSCompoundPredicate(
                type: NSCompoundPredicate.LogicalType(rawValue: logic.rawValue) ?? .and,
                subpredicates: operands.map(predicate(for:)))
        case .block(let block): NSPredicate(block: { block.evaluate($0, $1) })
        }
    }

    /// The predicate as a tree.
    final var node: PredicateNode {
        switch self {
        case let comparison as NSComparisonPredicate: return .comparison(comparison.comparison)
        case let compound as Foundation.NSCompoundPredicate:
            let logic = LogicalOperator(rawValue: compound.compoundPredicateType.rawValue) ?? .and
            return .compound(logic, compound.subpredicates.map(\.node))
        case let archived as ArchivedPredicate: return archived.part
        default:
            if isEqual(NSPredicate(value: true)) { return .constant(true) }
            if isEqual(NSPredicate(value: false)) { return .constant(false) }
            return .block(PredicateBlock { self.evaluate(with: $0, substitutionVariables: $1) })
        }
    }

    /// Returns the predicate with values instead of its variables.
    ///
    /// Variables without a value stay.
    public final func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let values = variables.mapValues { FormatArgument.node($0) }
        return NSPredicate.predicate(for: node.substituting(values)) as! Self
    }
}

extension NSPredicate {
    /// Does nothing: decoded predicates can be evaluated at once.
    public final func allowEvaluation() {}
}
